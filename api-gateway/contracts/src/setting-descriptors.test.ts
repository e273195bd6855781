import { expect, test } from 'vitest'
import { z } from 'zod'
import { findSettingLabel, settings } from './setting-descriptors.ts'
import { type Group, getFormShape, getStoredShape, type Setting } from './setting-kinds.ts'

const groups: Readonly<Record<string, Group>> = settings

function describeSetting(name: string, setting: Setting): string {
  const { label, hint, home, initial, initialInDemo, weakenedBy } = setting
  const parts = [
    `- **${label}** (\`${name}\`), stored ${home === 'site' ? 'by the gateway' : 'in the ledger'}`,
    ...(hint === undefined ? [] : [hint.replace(/\.$/, '')]),
    ...(initial === undefined ? [] : [`Initially \`${JSON.stringify(initial)}\``]),
    ...(initialInDemo === undefined ? [] : [`In the demo \`${JSON.stringify(initialInDemo)}\``]),
    ...(weakenedBy === undefined ? [] : [`${describeWeakening(weakenedBy)} weakens a control`]),
  ]
  return `${parts.join('. ')}.`
}

/** Formats a kind of weakening for the documentation, for example `raising` as `Raising it`. */
function describeWeakening(weakenedBy: string): string {
  const text = weakenedBy
    .replace(/^(raising|lowering|widening)$/, '$1 it')
    .replace(/^switching /, 'switching it ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
test('the documentation lists every setting with its descriptor', async () => {
  const lists = Object.entries(groups).map(([group, described]) => {
    const lines = Object.entries(described).map(([name, setting]) => describeSetting(name, setting))
    return `## ${group}\n\n${lines.join('\n')}\n`
  })
  const page = [
    '# Settings',
    '',
    'Generated from the descriptors in `api-gateway/contracts/src/*-settings.ts` by `setting-descriptors.test.ts`. Settings stored in the',
    'ledger are money rules: each change is an event.',
    '',
    ...lists,
  ].join('\n')
  await expect(page).toMatchFileSnapshot('../../../docs/settings.md')
})

test('a required setting is required in the form, an optional one is not', () => {
  const shape = getFormShape(settings.security)
  expect(shape.loginAttempts.safeParse(undefined).success).toBe(false)
  expect(shape.loginAttempts.parse('7')).toBe(7)
  expect(shape.credentialHoldHours.parse(undefined)).toBeUndefined()
  expect(shape.credentialHoldHours.safeParse(73).error?.issues[0]?.message).toBe(
    'Withdrawal pause after a credential change must be a whole number from 0 to 72',
  )
})

test('each field of the settings page has a label of its own', () => {
  const paths = Object.entries(groups).flatMap(([group, described]) =>
    Object.entries(described).flatMap(([name, { answer }]) => {
      const path = `${group}.${name}`
      return answer instanceof z.ZodObject
        ? Object.keys(answer.shape).map((part) => `${path}.${part}`)
        : [path]
    }),
  )
  const labels = paths.map((path) => findSettingLabel(path))
  expect(paths.filter((_, place) => labels[place] === null)).toEqual([])
  expect(labels.filter((label, place) => labels.indexOf(label) !== place)).toEqual([])
  expect(findSettingLabel('general.contact.phone')).toBe('Phone')
  expect(findSettingLabel('general.contact.fax')).toBeNull()
  expect(findSettingLabel('payment.unknown')).toBeNull()
})

test('money rules are not stored by the gateway', () => {
  const stored = Object.values(groups).flatMap((group) => Object.keys(getStoredShape(group)))
  expect(stored).toContain('credentialHoldHours')
  expect(stored).not.toContain('approvalThreshold')
  expect(stored).not.toContain('depositFee')
})
