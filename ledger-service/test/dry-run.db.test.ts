import { type Answer, type Command, createId, type DryRunAnswer } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpLedger, type HttpLedgers, startHttpLedgers } from './support/http-ledgers.ts'
import { fundWallet, requestWithdrawal, toCommand } from './support/linked.ts'
import { createFundedInvestor } from './support/test-ledger.ts'

let ledgers: HttpLedgers
let served: HttpLedger
let investorId: string
beforeAll(async () => {
  ledgers = await startHttpLedgers()
  served = await ledgers.open()
  investorId = await createFundedInvestor(served.ledger, { amountMinor: 1_000n })
})
afterAll(async () => {
  await served?.close()
  await ledgers?.close()
})

/** Returns all that a command could change: events, refusals and the head without its token. */
async function readState() {
  return await served.ledger.runSql(
    `select (select count(*) from ledger.event) as events,
       (select count(*) from ledger.refusal) as refusals, size, refusal_count, root
     from ledger.head where ledger_id = $1`,
    [served.number],
  )
}

const sendDryRun = (...commands: readonly Command[]) => served.client.submitDryRun(commands)

function getEvent(answer: Answer | DryRunAnswer | undefined): object | null {
  if (answer?.outcome === 'accepted') return { ...answer.event, recordedAt: '', effectiveAt: '' }
  if (answer?.outcome !== 'recorded') return null
  const { seq: _, ...event } = answer.event
  return { ...event, recordedAt: '', effectiveAt: '' }
}

test('a dry run says which event a command would give, and records nothing', async () => {
  const before = await readState()
  const command = fundWallet(investorId, 250n, { key: 'dry' })
  const [planned] = await sendDryRun(command)
  expect(planned).toMatchObject({ outcome: 'accepted', event: { type: 'WalletFunded' } })
  expect(await readState()).toEqual(before)
  const recorded = await served.client.submit(command)
  expect(recorded).toMatchObject({ outcome: 'recorded', isReplay: false })
  expect(getEvent(recorded)).toEqual(getEvent(planned))
  // A dry run ignores the idempotency key. The command is therefore decided as a second funding
  // with an id that the first funding has already used.
  expect(await sendDryRun(command)).toMatchObject([{ outcome: 'refused', code: 'ID_ALREADY_USED' }])
})

test('a dry run that is refused stores no refusal for its key', async () => {
  const before = await readState()
  const command = requestWithdrawal(investorId, 5_000n, { key: 'dry-refused' })
  expect(await sendDryRun(command)).toMatchObject([{ code: 'INSUFFICIENT_FUNDS' }])
  expect(await readState()).toEqual(before)
  await served.client.submit(fundWallet(investorId, 5_000n))
  expect(await served.client.submit(command)).toMatchObject({ outcome: 'recorded' })
})

test('linked commands of a dry run are each decided on the state after the ones before', async () => {
  const newcomer = createId(Date.now())
  const commands = [
    toCommand('ActivateInvestor', { investorId: newcomer, referrerId: null }),
    fundWallet(newcomer, 2_000n),
    requestWithdrawal(newcomer, 2_000n),
  ]
  const before = await readState()
  const accepted = await sendDryRun(...commands)
  expect(accepted).toMatchObject([
    { outcome: 'accepted', event: { type: 'InvestorActivated', linked: { index: 0, length: 3 } } },
    { outcome: 'accepted', event: { type: 'WalletFunded', linked: { index: 1, length: 3 } } },
    { outcome: 'accepted', event: { type: 'WithdrawalRequested' } },
  ])
  const tooMuch = requestWithdrawal(newcomer, 2_001n)
  expect(await sendDryRun(...commands.slice(0, 2), tooMuch)).toMatchObject([
    { code: 'LINKED_COMMAND_REFUSED', details: { index: '2' } },
    { code: 'LINKED_COMMAND_REFUSED' },
    { code: 'INSUFFICIENT_FUNDS' },
  ])
  expect(await readState()).toEqual(before)
  const { investors } = await served.client.ask('investors', { investorIds: [newcomer] })
  expect(investors).toEqual([])
  const recorded = await served.client.submitLinked(commands)
  expect(recorded.map(getEvent)).toEqual(accepted.map(getEvent))
})

test('a malformed command of a dry run fails', async () => {
  const before = await readState()
  const bad = toCommand('CancelDeposit', { transactionId: 'none', investorId })
  expect(await sendDryRun(bad)).toMatchObject([{ outcome: 'failed', code: 'MALFORMED' }])
  expect(await sendDryRun(fundWallet(investorId, 1n), bad)).toMatchObject([
    { outcome: 'failed', code: 'MALFORMED' },
    { outcome: 'failed', code: 'MALFORMED' },
  ])
  expect(await readState()).toEqual(before)
})

test('sabotaged twin: a writer that treats a dry run like linked commands records it', async () => {
  const { writer } = served.ledger.parts
  const { submitDryRun } = writer
  const before = await readState()
  // The cast is safe in this test, which does not read the answers.
  writer.submitDryRun = writer.submitLinked as unknown as typeof submitDryRun
  await sendDryRun(fundWallet(investorId, 1n)).catch(() => {})
  writer.submitDryRun = submitDryRun
  expect(await readState()).not.toEqual(before)
})
