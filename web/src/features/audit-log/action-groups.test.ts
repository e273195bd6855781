import { AUDIT_ACTIONS } from '@cairn/gateway-contracts'
import { expect, test } from 'vitest'
import { groupActions } from './action-groups.ts'
import { describeAction } from './describe-entry.ts'

test('every action is in one group, sorted by name', () => {
  const groups = groupActions(AUDIT_ACTIONS)
  const actions = groups.flatMap(({ options }) => options.map(([action]) => action))
  expect(actions.toSorted()).toEqual([...AUDIT_ACTIONS].toSorted())
  for (const { options } of groups) {
    const names = options.map(([, name]) => name)
    expect(names).toEqual(names.toSorted((left, right) => left.localeCompare(right)))
  }
})

test('an action of another version is listed, and an empty or repeated one is not', () => {
  expect(groupActions(['user.login', 'user.login', '', 'moon.land'])).toMatchObject([
    { title: 'Users and logins', options: [['user.login', 'Log in']] },
    { title: 'Ledger and system', options: [['moon.land', 'Use “moon.land”']] },
  ])
})

test('no two actions have the same name', () => {
  const names = AUDIT_ACTIONS.map(describeAction)
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([])
})
