import { describe, expect, test } from 'vitest'
import {
  type Approver,
  type ChangeAct,
  type ChangeFacts,
  type Checker,
  decideChangeAct,
} from './change-act.ts'

const HOUR_MS = 3_600_000
const NOW_MS = 100 * HOUR_MS
const HASH = 'a'.repeat(64)

const facts: ChangeFacts = {
  state: 'pending',
  createdBy: 'maker',
  expiresAtMs: NOW_MS + HOUR_MS,
  payloadSha256: HASH,
  beneficiaries: new Set(['beneficiary']),
}
const createApprover = (id: string, changed: Partial<Approver> = {}): Approver => {
  return { id, isActive: true, sinceMs: NOW_MS - 24 * HOUR_MS, ...changed }
}
const maker = createApprover('maker')
const decideApproval = (
  by: Approver,
  changed: Partial<Extract<ChangeAct, { type: 'approve' }>> = {},
) => decideChangeAct(facts, { type: 'approve', by, maker, payloadSha256: HASH, ...changed }, NOW_MS)

describe('an approval', () => {
  test('of another active administrator with old rights is accepted', () => {
    expect(decideApproval(createApprover('checker'))).toEqual({ to: 'approved' })
  })

  test.each([
    ['own', createApprover('maker')],
    ['beneficiary', createApprover('beneficiary')],
    ['inactive', createApprover('checker', { isActive: false })],
    ['tooNew', createApprover('checker', { sinceMs: NOW_MS - 24 * HOUR_MS + 1 })],
    ['tooNew', createApprover('checker', { sinceMs: null })],
  ] as const)('is refused: %s', (refusal, by) => {
    expect(decideApproval(by)).toEqual({ refusal })
  })

  test('is refused with another hash, and while the maker is too new', () => {
    const by = createApprover('checker')
    expect(decideApproval(by, { payloadSha256: 'b'.repeat(64) })).toEqual({ refusal: 'otherBytes' })
    const young = createApprover('maker', { sinceMs: NOW_MS })
    expect(decideApproval(by, { maker: young })).toEqual({ refusal: 'makerTooNew' })
  })

  test('is refused at the moment of expiry, and one millisecond earlier accepted', () => {
    const by = createApprover('checker')
    const act: ChangeAct = { type: 'approve', by, maker, payloadSha256: HASH }
    expect(decideChangeAct(facts, act, facts.expiresAtMs)).toEqual({ refusal: 'expired' })
    expect(decideChangeAct(facts, act, facts.expiresAtMs - 1)).toEqual({ to: 'approved' })
  })
})

test('each state except pending refuses every decision', () => {
  const acts: readonly ChangeAct[] = [
    { type: 'approve', by: createApprover('checker'), maker, payloadSha256: HASH },
    { type: 'reject', by: createApprover('checker') },
    { type: 'withdraw', by: 'maker' },
  ]
  for (const state of [
    'approved',
    'executed',
    'failed',
    'rejected',
    'withdrawn',
    'expired',
  ] as const) {
    for (const act of acts) {
      expect(decideChangeAct({ ...facts, state }, act, NOW_MS)).toEqual({ refusal: 'notPending' })
    }
  }
})

test('the maker withdraws, and only others reject', () => {
  expect(decideChangeAct(facts, { type: 'withdraw', by: 'maker' }, NOW_MS)).toEqual({
    to: 'withdrawn',
  })
  expect(decideChangeAct(facts, { type: 'withdraw', by: 'checker' }, NOW_MS)).toEqual({
    refusal: 'notOwn',
  })
  const decideRejection = (id: string) =>
    decideChangeAct(facts, { type: 'reject', by: createApprover(id) }, NOW_MS)
  expect(decideRejection('checker')).toEqual({ to: 'rejected' })
  expect(decideRejection('maker')).toEqual({ refusal: 'own' })
  expect(decideRejection('beneficiary')).toEqual({ refusal: 'beneficiary' })
})

describe('the execution', () => {
  const approved: ChangeFacts = { ...facts, state: 'approved' }
  const checker: Checker = { ...createApprover('checker'), payloadSha256: HASH }
  const decideExecution = (
    changed: Partial<Extract<ChangeAct, { type: 'execute' }>> = {},
    known: ChangeFacts = approved,
  ) =>
    decideChangeAct(
      known,
      { type: 'execute', maker, checkers: [checker], isBeforeSame: true, ...changed },
      NOW_MS,
    )

  test('of an approved request is done, and of every other state refused', () => {
    expect(decideExecution()).toEqual({ to: 'executed' })
    expect(decideExecution({}, facts)).toEqual({ refusal: 'notPending' })
    expect(decideExecution({}, { ...facts, state: 'executed' })).toEqual({ refusal: 'notPending' })
  })

  test.each([
    ['expired', {}, { ...approved, expiresAtMs: NOW_MS }],
    ['No other administrator', { checkers: [] }, approved],
    ['No other administrator', { checkers: [{ ...checker, id: 'maker' }] }, approved],
    ['no longer approve', { maker: createApprover('maker', { isActive: false }) }, approved],
    ['no longer approve', { checkers: [{ ...checker, isActive: false }] }, approved],
    ['less than 24 hours', { checkers: [{ ...checker, sinceMs: NOW_MS }] }, approved],
    ['benefits', { checkers: [{ ...checker, id: 'beneficiary' }] }, approved],
    ['differs from the content', { checkers: [{ ...checker, payloadSha256: 'b' }] }, approved],
    ['has changed', { isBeforeSame: false }, approved],
  ] as const)('fails finally: %s', (sentence, changed, known) => {
    expect(decideExecution(changed, known)).toEqual({
      to: 'failed',
      failure: expect.stringContaining(sentence),
    })
  })
})
