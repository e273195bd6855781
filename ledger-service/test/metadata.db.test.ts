import type { Command } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyLog } from '../src/proofs/verify.ts'
import { ALL_EVENTS } from '../src/queries/explorer/events.ts'
import { fundWallet, requestWithdrawal } from './support/linked.ts'
import { tamper } from './support/tamper.ts'
import { createFundedInvestor, startTestLedger, type TestLedger } from './support/test-ledger.ts'

const NAMED = { externalId: 'INV 2026/17', metadata: { order: '17', channel: 'import' } }

let ledger: TestLedger
let investorId: string
beforeAll(async () => {
  ledger = await startTestLedger()
  investorId = await createFundedInvestor(ledger, { amountMinor: 1_000n })
})
afterAll(() => ledger.close())

async function submit(command: Command) {
  const answers = await ledger.parts.writer.submit([command], 'interactive')
  return answers?.[0]
}

const check = async () => (await verifyLog(ledger.pool, { ledger: 1 })).problems.join('\n')

test('an event has the external id and metadata of its command, and is found by the id', async () => {
  const first = await submit({ ...fundWallet(investorId, 1n), ...NAMED })
  const second = await submit({ ...fundWallet(investorId, 2n), ...NAMED, metadata: null })
  await submit({ ...fundWallet(investorId, 3n), externalId: 'INV 2026/18' })
  expect(first).toMatchObject({ outcome: 'recorded', event: NAMED })
  const { events } = await ledger.ask('events', { ...ALL_EVENTS, externalId: NAMED.externalId })
  const recorded = [second, first].map((answer) => answer?.outcome === 'recorded' && answer.event)
  expect(events.map(({ leafHash: _, ...event }) => event)).toEqual(recorded)
  const none = await ledger.ask('events', { ...ALL_EVENTS, externalId: 'INV' })
  expect([none.events, none.next]).toEqual([[], null])
})

test('the search by external id uses its index', async () => {
  const plan = await ledger.runSql<{ 'QUERY PLAN': string }>(
    `explain select seq from ledger.event where ledger_id = 1 and external_id = 'x'`,
  )
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('event_by_external_id')
})

test('the same key with another external id or other metadata is another request', async () => {
  const command = { ...fundWallet(investorId, 1n, { key: 'named' }), ...NAMED }
  expect(await submit(command)).toMatchObject({ outcome: 'recorded', isReplay: false })
  expect(await submit(command)).toMatchObject({ outcome: 'recorded', isReplay: true })
  const reordered = { channel: 'import', order: '17' }
  expect(await submit({ ...command, metadata: reordered })).toMatchObject({ isReplay: true })
  for (const changed of [
    { externalId: 'INV 2026/18' },
    { externalId: null },
    { metadata: { ...NAMED.metadata, order: '18' } },
    { metadata: null },
  ]) {
    expect(await submit({ ...command, ...changed })).toMatchObject({ code: 'KEY_REUSED' })
  }
})

test('a refusal of a command with metadata is decided again', async () => {
  const command = { ...requestWithdrawal(investorId, 999_999n, { key: 'poor' }), ...NAMED }
  const refused = await submit(command)
  expect(refused).toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
  expect(await submit(command)).toEqual(refused)
  expect(await check()).toBe('')
})

test('a change of the searchable copy of an external id by a superuser is detected', async () => {
  for (const value of [`'INV 1'`, 'null']) {
    await tamper(ledger, () =>
      ledger.runSql(`update ledger.event set external_id = ${value} where seq = 2`),
    )
    expect(await check()).toContain('event 2: a column differs from the bytes')
  }
  await tamper(ledger, () =>
    ledger.runSql(`update ledger.event set external_id = '${NAMED.externalId}' where seq = 2`),
  )
  expect(await check()).toBe('')
  await tamper(ledger, () =>
    ledger.runSql(`update ledger.event set external_id = 'x' where seq = 1`),
  )
  expect(await check()).toContain('event 1: a column differs from the bytes')
})
