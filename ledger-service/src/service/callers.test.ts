import { type Command, commandData } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'
import { type CallerName, CallerTokens, createCallerLookup, findSubmitProblem } from './callers.ts'

const getToken = (name: string) => `${name}-token-`.padEnd(40, '0')
const NAMES = [
  'ledger',
  'gateway',
  'gateway-worker',
  'ledger-worker',
  'server',
  'auditor',
  'metrics',
]
const find = createCallerLookup(
  CallerTokens.parse(Object.fromEntries(NAMES.map((name) => [name, [getToken(name)]]))),
)

function findCaller(name: CallerName) {
  const caller = find(getToken(name))
  if (caller === null) throw new Error(`there is no caller ${name}`)
  return caller
}

function maySubmit(name: CallerName, type: string, actor: string): boolean {
  // The cast is safe, because only the type and the actor are read.
  return findSubmitProblem(findCaller(name), { type, actor } as Command) === null
}

test('a token gives the rights of its caller, and an unknown one gives none', () => {
  for (const name of NAMES) expect(find(getToken(name))?.name).toBe(name)
  for (const token of ['', 'x', getToken('eve'), getToken('gateway').slice(1)]) {
    expect(find(token)).toBeNull()
  }
})

test('two tokens of a caller are valid while one replaces the other', () => {
  const both = createCallerLookup({ gateway: [getToken('old'), getToken('new')] })
  expect([both(getToken('old'))?.name, both(getToken('new'))?.name]).toEqual(['gateway', 'gateway'])
})

test('the gateway names users and administrators, but not the server', () => {
  expect(maySubmit('gateway', 'FundWallet', 'admin:ada')).toBe(true)
  expect(maySubmit('gateway', 'RequestDeposit', 'user:ann')).toBe(true)
  expect(maySubmit('gateway', 'SetDualControl', 'system:server')).toBe(false)
  expect(maySubmit('gateway', 'AccrueThrough', 'system:accruals')).toBe(false)
})

test('the gateway holds withdrawals, pays due bonuses, seals no audit log and sets no mode of dual control', () => {
  expect(maySubmit('gateway', 'HoldWithdrawal', 'system:credential-hold')).toBe(true)
  expect(maySubmit('gateway', 'SetDualControl', 'system:change-requests')).toBe(false)
  expect(maySubmit('gateway', 'PayReferralBonus', 'system:referrals')).toBe(true)
  expect(maySubmit('gateway', 'SealAudit', 'admin:ada')).toBe(false)
})

test('the worker of the gateway copies rules, but sends none', () => {
  for (const type of ['DefinePlan', 'SetMoneyRules', 'AddApprover', 'SetDualControl']) {
    for (const actor of ['system:server', 'system:change-requests', 'admin:ada']) {
      expect([type, maySubmit('gateway-worker', type, actor)]).toEqual([type, false])
    }
  }
  const copiers = NAMES.filter((name) => find(getToken(name))?.canCopyRules)
  expect(copiers).toEqual(['ledger', 'gateway-worker'])
})

test('no caller replaces the signing key, also if a handover is valid', () => {
  for (const name of NAMES) {
    // The cast is safe, because the object has the names of the callers as keys.
    expect(maySubmit(name as CallerName, 'ReplaceSigningKey', 'system:server')).toBe(false)
  }
  // Sabotaged twin: the caller `ledger` has no list of excluded commands, so it may submit
  // `SealAudit`.
  expect(maySubmit('ledger', 'SealAudit', 'system:server')).toBe(true)
})

test('no other process moves money on demand', () => {
  const types = Object.keys(commandData)
  const money = types.filter((type) =>
    /^(Approve|Reverse|Fund|Adjust|Withdraw|Sweep|Deny)/.test(type),
  )
  expect(money.length).toBeGreaterThan(8)
  for (const name of ['gateway-worker', 'ledger-worker', 'server', 'auditor', 'metrics'] as const) {
    for (const type of money) {
      for (const actor of ['admin:ada', 'user:ann', 'system:server', 'system:accruals']) {
        expect([name, type, maySubmit(name, type, actor)]).toEqual([name, type, false])
      }
    }
  }
})

test.each([
  ['a short token', { gateway: ['short'] }],
  ['an unknown caller', { eve: [getToken('eve')] }],
  ['three tokens', { gateway: ['a', 'b', 'c'].map(getToken) }],
  ['a token with a space', { gateway: [`${getToken('a')} b`] }],
])('%s is refused at the start', (_what, tokens) => {
  expect(CallerTokens.safeParse(tokens).success).toBe(false)
})
