import {
  type Answer,
  type CommandType,
  createId,
  type DataOf,
  formatCanonicalRequest,
} from '@cairn/ledger-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type HttpLedger,
  type HttpLedgers,
  startHttpLedgers,
} from '../../../test/support/http-ledgers.ts'
import { plainRules } from '../../../test/support/rule-book.ts'
import {
  createFundedInvestor,
  HOUR_MS,
  plan30Days,
  requireRecorded,
} from '../../../test/support/test-ledger.ts'
import { SERVER } from '../../domain/controls/approver.ts'
import { hashSha256 } from '../../log/sha256.ts'
import { createRuleCopier } from './copy-rules.ts'
import { formatCopyId } from './rule-log.ts'

const THRESHOLD = 10_000n
const PLAN = createId(Date.now())

let service: HttpLedgers
/** The first ledger of a site, a further one, and one with events of its own. */
let first: HttpLedger
let further: HttpLedger
let stranger: HttpLedger
let aheadMs = 0
beforeAll(async () => {
  service = await startHttpLedgers()
  first = await service.open()
  further = await service.open()
  stranger = await service.open()
  for (const approverId of ['ada', 'bob']) await decide('AddApprover', { approverId })
  await decide('ChooseCurrency', { asset: 'EUR/2' })
  moveClocks(25 * HOUR_MS)
  await decideByTwo('AddApprover', { approverId: 'cyd' })
  await decideByTwo('DefinePlan', { planId: PLAN, terms: plan30Days })
  await decideByTwo('DefinePlan', { planId: PLAN, terms: { ...plan30Days, profitPpm: 60_000 } })
  await decide('SetMoneyRules', { rules: { ...plainRules, approvalThresholdMinor: THRESHOLD } })
  await decideByTwo('RemoveApprover', { approverId: 'cyd', reason: 'left' })
})
afterAll(async () => {
  for (const ledger of [first, further, stranger]) await ledger?.close()
  await service?.close()
})

function moveClocks(ms: number): void {
  aheadMs += ms
  for (const { ledger } of [first, further, stranger]) ledger.clock.set(Date.now() + aheadMs)
}

async function decide<Type extends CommandType>(type: Type, data: DataOf<Type>): Promise<void> {
  const { outcome } = await first.ledger.submit(type, data, { actor: SERVER })
  expect([type, outcome]).toEqual([type, 'recorded'])
}

async function decideByTwo<Type extends CommandType>(
  type: Type,
  data: DataOf<Type>,
): Promise<void> {
  const { outcome } = await submitByTwo(first, type, data)
  expect([type, outcome]).toEqual([type, 'recorded'])
}

/** Sends the command with the approvals of Ada and Bob. */
function submitByTwo<Type extends CommandType>(
  { ledger }: HttpLedger,
  type: Type,
  data: DataOf<Type>,
): Promise<Answer> {
  const approvedAt = new Date(ledger.clock.now()).toISOString()
  const request = formatCanonicalRequest({ type, data, effectiveAt: null })
  const approvals = ['ada', 'bob'].map((name) => ({ approver: `admin:${name}`, approvedAt }))
  const approval = { commandSha256: hashSha256(request).toString('hex'), approvals }
  return ledger.submit(type, data, { actor: 'system:change-requests', approval })
}

/** Copies with a copier that has just started. */
const copy = (source: HttpLedger = first, target: HttpLedger = further) =>
  createRuleCopier()(toCopied(source), toCopied(target))

const toCopied = ({ number, ledger }: HttpLedger) => ({ number, ...ledger.parts })

const readSize = async ({ ledger }: HttpLedger) => (await ledger.ask('head', { size: null })).size

async function readControls({ client }: HttpLedger) {
  const [{ mode, approvers }, { rules }, { plans }] = await Promise.all([
    client.ask('controls', { now: new Date(0).toISOString() }),
    client.ask('rules', {}),
    client.ask('plans', { includeArchived: true }),
  ])
  return {
    mode,
    approvers: approvers.map(({ approverId, isActive }) => `${approverId} ${isActive}`),
    rules,
    plans: plans.map(({ definedAt: _, ...plan }) => plan),
  }
}

test('a copy of a ledger without rules is not complete', async () => {
  expect((await copy(stranger, further)).problem).toBe(
    'Ledger 3 has no plans, rules or approvers yet',
  )
  expect(await readSize(further)).toBe(0n)
})

test('a further ledger gets the plans, rules and approvers of the first, and it verifies', async () => {
  const size = await readSize(first)
  expect(await further.client.copyRules({ from: 1 })).toEqual({
    through: size,
    size,
    problem: null,
  })
  const controls = await readControls(further)
  expect(controls).toEqual(await readControls(first))
  expect(controls).toMatchObject({
    mode: 'required',
    approvers: ['ada true', 'bob true', 'cyd false'],
    plans: [{ planId: PLAN, version: 2, profitPpm: 60_000 }],
  })
  const { events } = await further.client.events({ after: -1n, waitSeconds: 0, limit: 50 })
  expect(events.map(({ externalId }) => externalId)).toEqual(
    events.map((_, seq) => formatCopyId(1, BigInt(seq))),
  )
  expect((await further.ledger.ask('check', {})).problems).toEqual([])
})

test('a repeated copy records nothing, also by a process that has just started', async () => {
  const size = await readSize(further)
  await Promise.all([copy(), copy(), further.client.copyRules({ from: 1 })])
  expect(await readSize(further)).toBe(size)
})

test('a copy that ends after each event goes on with the next one', async () => {
  const rest = await service.open()
  const parts = toCopied(first)
  const size = await readSize(first)
  for (let copied = 1n; copied <= size; copied += 1n) {
    const rules = {
      ...parts.rules,
      read: (page: { start: bigint }) => parts.rules.read({ ...page, limit: 1 }),
    }
    const answer = await createRuleCopier()({ number: 1, rules }, toCopied(rest))
    expect(answer).toMatchObject({ through: copied, problem: null })
    expect(await readSize(rest)).toBe(copied)
  }
  expect(await readControls(rest)).toEqual(await readControls(first))
  await rest.close()
})

test('a later change follows, and events of other types are passed over', async () => {
  await createFundedInvestor(first.ledger, { amountMinor: 0n })
  await decide('SetMoneyRules', { rules: { ...plainRules, approvalThresholdMinor: 5_000n } })
  const size = await readSize(first)
  expect(await copy()).toEqual({ through: size, size, problem: null })
  expect(await readControls(further)).toEqual(await readControls(first))
})

describe('a change that one administrator of the first ledger wants', () => {
  const raised = { rules: { ...plainRules, approvalThresholdMinor: 9_000_000n } }
  const raise = (actor: string, { ledger }: HttpLedger) =>
    ledger.submit('SetMoneyRules', raised, { actor })

  test('is not copied, because the first ledger refuses it', async () => {
    expect(await raise('admin:ada', first)).toMatchObject({ code: 'SECOND_APPROVER_NEEDED' })
    const before = await readControls(further)
    await copy()
    expect(await readControls(further)).toEqual(before)
    // The further ledger refuses it as well, so it is no way around the first.
    expect(await raise('admin:ada', further)).toMatchObject({ code: 'SECOND_APPROVER_NEEDED' })
  })

  test('sabotaged twin: a copy of what a caller sends raises the threshold without approval', async () => {
    const twin = await service.open()
    await copy(first, twin)
    // This is what the right to copy would be if the caller named the change, not the ledger.
    expect((await raise(SERVER, twin)).outcome).toBe('recorded')
    const { rules } = await readControls(twin)
    expect(rules.approvalThresholdMinor).toBe(9_000_000n)
    expect((await readControls(first)).rules.approvalThresholdMinor).toBe(5_000n)
    await twin.close()
  })
})

describe('a ledger with rules of its own', () => {
  const own = { rules: { ...plainRules, depositFeePpm: 20_000 } }
  beforeAll(async () => {
    await stranger.ledger.submit('SetMoneyRules', own, { actor: 'admin:eve' })
  })

  test('takes none of another ledger, and gives none to the first', async () => {
    const before = await readControls(first)
    expect((await copy(stranger, first)).problem).toContain('no copy of ledger 3')
    expect((await copy(first, stranger)).problem).toContain('it has events of its own')
    expect((await copy(stranger, further)).problem).toContain('no copy of ledger 3')
    expect(await readControls(first)).toEqual(before)
    expect(await readControls(further)).toEqual(before)
  })

  test('sabotaged twin: without the check of the first event, it weakens another ledger', async () => {
    const twin = await service.open()
    await copy(first, twin)
    const target = toCopied(twin)
    const rules = { ...target.rules, findFirstEvent: async () => null }
    const answer = await createRuleCopier()(toCopied(stranger), { ...target, rules })
    expect(answer.problem).toBeNull()
    expect((await readControls(twin)).rules.approvalThresholdMinor).toBeNull()
    await twin.close()
  })
})

test('a copied event that the first ledger does not have stops the copy', async () => {
  const source = toCopied(first)
  const rules = { ...source.rules, findEvent: async () => null }
  const { problem } = await createRuleCopier()({ ...source, rules }, toCopied(further))
  expect(problem).toContain('Ledger 1 has lost event')
})

test('what a restored ledger has lost is copied again by a process that has copied it before', async () => {
  const copier = createRuleCopier()
  const restored = await service.open()
  await copier(toCopied(first), toCopied(restored))
  const size = await readSize(restored)
  await restored.close()
  // An empty ledger in place of the one that was restored.
  const empty = await service.open()
  const answer = await copier(toCopied(first), { ...toCopied(empty), number: restored.number })
  expect(answer.problem).toBeNull()
  expect(await readSize(empty)).toBe(size)
  await empty.close()
})

test('a purchase with a version of a plan that is not copied yet is refused', async () => {
  const investorId = await createFundedInvestor(further.ledger, { amountMinor: 0n })
  const gift = { wallet: 'balance', amountMinor: 4_000n, category: null, reason: null } as const
  const transactionId = createId(Date.now())
  const funding = { ...gift, transactionId, investorId }
  await requireRecorded(further.ledger.submit('FundWallet', funding, { actor: 'admin:ada' }))
  const terms = { ...plan30Days, minimumMinor: 1_000n }
  await decide('DefinePlan', { planId: PLAN, terms })
  const buy = (planVersion: number): Promise<{ outcome: string }> =>
    further.ledger.submit('OpenInvestment', {
      investmentId: createId(Date.now()),
      investorId,
      planId: PLAN,
      planVersion,
      amountMinor: 1_000n,
    })
  expect(await buy(3)).toMatchObject({ outcome: 'refused', code: 'TERMS_CHANGED' })
  await copy()
  expect(await buy(3)).toMatchObject({ outcome: 'recorded' })
  expect(await buy(2)).toMatchObject({ outcome: 'refused', code: 'TERMS_CHANGED' })
})

test('an external id of another actor does not move the copy on', async () => {
  await requireRecorded(
    further.client.submit({
      type: 'FundReserve',
      data: { transactionId: createId(Date.now()), amountMinor: 1n, note: null },
      actor: 'admin:ada',
      key: null,
      requestId: null,
      effectiveAt: null,
      externalId: formatCopyId(1, 9_999n),
    }),
  )
  await decide('SetMoneyRules', { rules: { ...plainRules, approvalThresholdMinor: 4_000n } })
  await copy()
  expect((await readControls(further)).rules.approvalThresholdMinor).toBe(4_000n)
})

test('money of a further ledger needs the same two administrators, a day after the copy', async () => {
  const createData = () => {
    return { transactionId: createId(Date.now()), amountMinor: THRESHOLD, note: null }
  }
  const alone = further.ledger.submit('FundReserve', createData(), { actor: 'admin:ada' })
  expect(await alone).toMatchObject({ code: 'SECOND_APPROVER_NEEDED' })
  const early = await submitByTwo(further, 'FundReserve', createData())
  expect(early).toMatchObject({ code: 'APPROVAL_INVALID' })
  moveClocks(25 * HOUR_MS)
  const later = await submitByTwo(further, 'FundReserve', createData())
  expect(later).toMatchObject({ outcome: 'recorded' })
})
