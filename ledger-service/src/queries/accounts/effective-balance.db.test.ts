import { account, createId } from '@cairn/ledger-contracts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fundWallet } from '../../../test/support/linked.ts'
import {
  createFundedInvestor,
  startTestLedger,
  type TestLedger,
} from '../../../test/support/test-ledger.ts'

const MINUTE_MS = 60_000
/** The minutes from the effective time to the recorded time of each funding. */
const DELAYS = [0, 3, 0, 1, 5, 0, 2, 0, 7, 0]

let ledger: TestLedger
let code: string
let startMs: number
beforeAll(async () => {
  startMs = Date.now()
  // The clock advances only when the test sets it, so that each event has an exact minute.
  ledger = await startTestLedger({ now: () => startMs })
  ledger.clock.set(startMs)
  const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
  const otherId = await createFundedInvestor(ledger, { amountMinor: 0n })
  code = account.getAvailableCode(investorId, 'balance')
  for (const [index, delay] of DELAYS.entries()) {
    ledger.clock.set(startMs + (index + 1) * MINUTE_MS)
    const effectiveAt =
      delay === 0 ? null : new Date(ledger.clock.now() - delay * MINUTE_MS).toISOString()
    for (const id of [investorId, otherId]) {
      const command = { ...fundWallet(id, 2n ** BigInt(index)), effectiveAt }
      const data = { ...command.data, transactionId: createId(ledger.clock.now()) }
      // The cast is safe, because `data` differs from the original data only in the id.
      const [answer] =
        (await ledger.parts.writer.submit([{ ...command, data } as typeof command], 'bulk')) ?? []
      expect(answer?.outcome).toBe('recorded')
    }
  }
})
afterAll(() => ledger.close())

const toTime = (minutes: number) => new Date(startMs + minutes * MINUTE_MS).toISOString()

test('the effective balance is the sum of the postings effective and recorded until then', async () => {
  const { lines } = await ledger.ask('statement', { account: code, before: null, limit: 100 })
  expect(lines.filter((line) => line.effectiveAt < line.recordedAt)).toHaveLength(5)
  const minutes = fc.integer({ min: -8, max: 12 })
  await fc.assert(
    fc.asyncProperty(minutes, fc.option(minutes), async (effective, recorded) => {
      const effectiveAt = toTime(effective)
      const at = recorded === null ? null : toTime(recorded)
      const expected = lines
        .filter((line) => line.effectiveAt <= effectiveAt && (at === null || line.recordedAt <= at))
        .reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
      const asked = { account: code, effectiveAt, at }
      expect((await ledger.ask('effectiveBalance', asked)).balanceMinor).toBe(expected)
    }),
    { numRuns: 100 },
  )
})

test('a backdated event changes a past effective balance, and no past recorded balance', async () => {
  // The second funding was recorded in minute 2 and was effective in minute -1.
  const asked = { account: code, effectiveAt: toTime(0) }
  expect((await ledger.ask('effectiveBalance', { ...asked, at: null })).balanceMinor).toBe(18n)
  expect((await ledger.ask('effectiveBalance', { ...asked, at: toTime(2) })).balanceMinor).toBe(2n)
  expect((await ledger.ask('effectiveBalance', { ...asked, at: toTime(1) })).balanceMinor).toBe(0n)
  expect((await ledger.ask('balance', { account: code, at: toTime(0) })).balanceMinor).toBe(0n)
})

test('sabotaged twin: the balance of the recorded time misses the backdated events', async () => {
  const { balanceMinor } = await ledger.ask('balance', { account: code, at: toTime(4) })
  const asked = { account: code, effectiveAt: toTime(4), at: null }
  expect((await ledger.ask('effectiveBalance', asked)).balanceMinor).not.toBe(balanceMinor)
})

test('the sum reads only backdated events', async () => {
  const plan = await ledger.runSql<{ 'QUERY PLAN': string }>(
    `explain select sum(amount_minor)
     from ledger.event join ledger.posting using (ledger_id, seq)
     where ledger_id = 1 and account = '${code}' and seq > 3 and seq <= 20
       and effective_at < recorded_at and effective_at <= now()`,
  )
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('event_backdated')
})
