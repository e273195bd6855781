import { type Answer, createId } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StoreSession, wrapSessions } from '../src/log/store.ts'
import {
  fundWallet,
  listOutcomes,
  requestWithdrawal,
  submitLinkedCommands,
  toCommand,
} from './support/linked.ts'
import { plainRules } from './support/rule-book.ts'
import {
  createFundedInvestor,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from './support/test-ledger.ts'

let database: TestDatabase
let ledger: TestLedger
let investorId: string
const seen = { appends: 0 }
const wrapStore = wrapSessions((session: StoreSession) => ({
  ...session,
  append: (move, rows) => {
    seen.appends += 1
    return session.append(move, rows)
  },
}))
const open = () => startTestLedger({ database, wrapStore })
beforeAll(async () => {
  database = await createTestDatabase()
  ledger = await open()
  investorId = await createFundedInvestor(ledger, { amountMinor: 10_000n })
})
afterAll(async () => {
  await ledger?.close()
  await database?.drop()
})

async function countEvents(): Promise<number> {
  const [row] = await ledger.runSql<{ count: string }>('select count(*) from ledger.event')
  return Number(row?.count)
}

async function readBalance(): Promise<bigint> {
  const { investors } = await ledger.ask('investors', { investorIds: [investorId] })
  return investors[0]?.available.balance ?? 0n
}

async function reopen(): Promise<void> {
  await ledger.close()
  ledger = await open()
}

const listSeqs = (answers: readonly Answer[]) =>
  answers.flatMap((answer) => (answer.outcome === 'recorded' ? [answer.event.seq] : []))

describe('linked commands', () => {
  test('are recorded in order in one batch, each with its place in the group', async () => {
    const [appends, first] = [seen.appends, await countEvents()]
    const answers = await submitLinkedCommands(ledger, [
      fundWallet(investorId, 100n),
      fundWallet(investorId, 200n),
      fundWallet(investorId, 300n),
    ])
    expect(answers).toMatchObject([
      { outcome: 'recorded', isReplay: false, event: { linked: { index: 0, length: 3 } } },
      { outcome: 'recorded', isReplay: false, event: { linked: { index: 1, length: 3 } } },
      { outcome: 'recorded', isReplay: false, event: { linked: { index: 2, length: 3 } } },
    ])
    expect(listSeqs(answers)).toEqual([0, 1, 2].map((index) => BigInt(first + index)))
    expect(seen.appends - appends).toBe(1)
    expect((await ledger.parts.feed.read(readFeedPage(first - 1))).events).toEqual(
      answers.map((answer) => (answer.outcome === 'recorded' ? answer.event : null)),
    )
  })

  test('are each decided on the state after the ones before, also with rows not yet loaded', async () => {
    await reopen()
    const [newcomer, transactionId] = [createId(Date.now()), createId(Date.now())]
    const request = {
      ...{ transactionId, investorId: newcomer, amountMinor: 20_000n, method: 'bank' },
      ...{ paymentOptionId: null, receiptId: 'r', receiptSha256: 'a'.repeat(64) },
    }
    const approval = { transactionId, paymentOptionId: null, approvedMinor: 20_000n }
    const answers = await submitLinkedCommands(ledger, [
      toCommand('ActivateInvestor', { investorId: newcomer, referrerId: investorId }),
      toCommand('RequestDeposit', request),
      toCommand('ApproveDeposit', approval),
      requestWithdrawal(newcomer, 15_000n),
    ])
    expect(listOutcomes(answers)).toEqual(Array(4).fill('recorded'))
  })

  test('are all refused if one is, and leave no trace in the state', async () => {
    const [before, balance] = [await countEvents(), await readBalance()]
    const answers = await submitLinkedCommands(ledger, [
      fundWallet(investorId, 50n),
      requestWithdrawal(investorId, balance + 51n),
      fundWallet(investorId, 50n),
    ])
    const details = { index: '1', code: 'INSUFFICIENT_FUNDS' }
    expect(answers).toMatchObject([
      { outcome: 'refused', code: 'LINKED_COMMAND_REFUSED', details },
      { outcome: 'refused', code: 'INSUFFICIENT_FUNDS' },
      { outcome: 'refused', code: 'LINKED_COMMAND_REFUSED', details },
    ])
    expect([await countEvents(), await readBalance()]).toEqual([before, balance])
    // If a change of the refused group stayed in the cache, this command would be recorded.
    const single = await submitLinkedCommands(ledger, [requestWithdrawal(investorId, balance + 1n)])
    expect(listOutcomes(single)).toEqual(['INSUFFICIENT_FUNDS'])
  })

  test('sabotaged twin: one by one, a part of them is recorded', async () => {
    const before = await countEvents()
    const commands = [fundWallet(investorId, 1n), requestWithdrawal(investorId, 999_999n)]
    const answers = await ledger.parts.writer.submit(commands, 'interactive')
    expect(listOutcomes(answers ?? [])).toEqual(['recorded', 'INSUFFICIENT_FUNDS'])
    expect(await countEvents()).toBe(before + 1)
  })

  test('fail together if one is malformed or their keys are', async () => {
    const before = await countEvents()
    const malformed = Array(2).fill('MALFORMED')
    const half = [fundWallet(investorId, 1n, { key: 'half' }), fundWallet(investorId, 1n)]
    expect(listOutcomes(await submitLinkedCommands(ledger, half))).toEqual(malformed)
    const twice = half.map((command) => ({ ...command, key: 'twice' }))
    expect(listOutcomes(await submitLinkedCommands(ledger, twice))).toEqual(malformed)
    const bad = toCommand('CancelDeposit', { transactionId: '\ud800', investorId })
    const answers = await submitLinkedCommands(ledger, [fundWallet(investorId, 1n), bad])
    expect(listOutcomes(answers)).toEqual(malformed)
    expect(answers[0]).toMatchObject({ message: expect.stringContaining('linked command 1') })
    expect(await countEvents()).toBe(before)
  })

  test('have no problems in a verification, recorded or refused', async () => {
    expect((await ledger.ask('check', {})).problems).toEqual([])
  })
})

describe('linked commands with idempotency keys', () => {
  const createGroup = (name: string) =>
    [1n, 2n, 3n].map((amountMinor) =>
      fundWallet(investorId, amountMinor, { key: `${name}-${amountMinor}` }),
    )
  const reused = Array(3).fill('KEY_REUSED')

  test('are answered the same when they are repeated, at once, later and after a restart', async () => {
    const group = createGroup('whole')
    const before = await countEvents()
    const both = await Promise.all([
      submitLinkedCommands(ledger, group),
      submitLinkedCommands(ledger, group),
    ])
    const [first = [], other = []] = both
    const replayed = first.map((answer) => ({ ...answer, isReplay: true }))
    expect(listOutcomes(first)).toEqual(Array(3).fill('recorded'))
    expect(other).toEqual(replayed)
    expect(await submitLinkedCommands(ledger, group)).toEqual(replayed)
    await reopen()
    expect(await submitLinkedCommands(ledger, group)).toEqual(replayed)
    expect(await ledger.parts.writer.submit(group.slice(1, 2), 'interactive')).toEqual([
      replayed[1],
    ])
    expect(await countEvents()).toBe(before + 3)
  })

  test('are refused if only a part of them is repeated', async () => {
    const group = createGroup('part')
    await submitLinkedCommands(ledger, group)
    const before = await countEvents()
    const [first, second, third] = group
    if (first === undefined || second === undefined || third === undefined) throw new Error('none')
    const fresh = fundWallet(investorId, 4n, { key: 'part-4' })
    const changed = { ...third, effectiveAt: '2026-01-01T00:00:00.000Z' }
    for (const other of [
      [first, second, fresh],
      [fresh, second, third],
      [second, first, third],
      [...group, fresh],
      [first, second],
      [first, second, changed],
    ]) {
      const answers = await submitLinkedCommands(ledger, other)
      expect(new Set(listOutcomes(answers))).toEqual(new Set(['KEY_REUSED']))
    }
    expect(await countEvents()).toBe(before)
  })

  test('are refused if one was recorded alone or in another group, also while it is in flight', async () => {
    const group = createGroup('alone')
    const [single, linked] = await Promise.all([
      ledger.parts.writer.submit(group.slice(0, 1), 'interactive'),
      submitLinkedCommands(ledger, group),
    ])
    expect(listOutcomes(single ?? [])).toEqual(['recorded'])
    expect(listOutcomes(linked)).toEqual(reused)

    const other = createGroup('other')
    const rest = [...other.slice(1), fundWallet(investorId, 9n, { key: 'other-9' })]
    const [one, two] = await Promise.all([
      submitLinkedCommands(ledger, other),
      submitLinkedCommands(ledger, rest),
    ])
    expect(listOutcomes(one)).toEqual(Array(3).fill('recorded'))
    expect(listOutcomes(two)).toEqual(reused)
  })

  test('repeat their refusals, also if the cause has gone', async () => {
    const balance = await readBalance()
    const group = [
      fundWallet(investorId, 1n, { key: 'poor-1' }),
      requestWithdrawal(investorId, balance + 2n, { key: 'poor-2' }),
    ]
    const refused = await submitLinkedCommands(ledger, group)
    expect(listOutcomes(refused)).toEqual(['LINKED_COMMAND_REFUSED', 'INSUFFICIENT_FUNDS'])
    await submitLinkedCommands(ledger, [fundWallet(investorId, 10n)])
    await reopen()
    expect(await submitLinkedCommands(ledger, group)).toEqual(refused)
    expect(await ledger.parts.writer.submit(group.slice(0, 1), 'interactive')).toEqual([refused[0]])
    expect((await ledger.ask('check', {})).problems).toEqual([])
  })
})

test('the sums of dual control include the linked commands before', async () => {
  const server = { actor: 'system:server' }
  const rules = { ...plainRules, approvalThresholdMinor: 10_000n }
  await requireRecorded(ledger.submit('SetMoneyRules', { rules }, server))
  for (const approverId of ['ada', 'bob']) {
    await requireRecorded(ledger.submit('AddApprover', { approverId }, server))
  }
  const ada = { actor: 'admin:ada' }
  const group = [fundWallet(investorId, 6_000n, ada), fundWallet(investorId, 6_000n, ada)]
  const refused = ['LINKED_COMMAND_REFUSED', 'SECOND_APPROVER_NEEDED']
  expect(listOutcomes(await submitLinkedCommands(ledger, group))).toEqual(refused)
  // Without a link, the first command is recorded, because the amounts of the refused group do not
  // count towards the threshold.
  const [first, second] = group
  if (first === undefined || second === undefined) throw new Error('the group is empty')
  const answers = await ledger.parts.writer.submit([first, second], 'interactive')
  expect(listOutcomes(answers ?? [])).toEqual(['recorded', 'SECOND_APPROVER_NEEDED'])
})

function readFeedPage(after: number) {
  return { after: BigInt(after), limit: 10, waitMs: 0, signal: new AbortController().signal }
}
