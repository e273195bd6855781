import { createId, type PlanTerms } from '@cairn/ledger-contracts'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accrueDueProfit } from '../src/service/jobs/accrual-worker.ts'
import { recordFigure } from './support/figure.ts'
import {
  createFundedInvestor,
  DAY_MS,
  HOUR_MS,
  plan30Days,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from './support/test-ledger.ts'

const MINUTE_MS = 60_000
const log = pino({ level: 'silent' })
// Times shortly before a leap day, daylight saving changes, month ends and a year end.
const STARTS = [
  '2028-02-28T23:59:59.999Z',
  '2028-02-29T12:00:00.000Z',
  '2028-03-25T22:30:00.000Z',
  '2028-03-31T00:00:00.000Z',
  '2028-10-28T22:30:00.000Z',
  '2028-12-31T23:00:00.000Z',
]
const TERMS = [
  { unit: 'days', duration: 30, profitPpm: 50_000 },
  { unit: 'days', duration: 365, profitPpm: 123_457 },
  { unit: 'hours', duration: 24, profitPpm: 10_001 },
  { unit: 'hours', duration: 1_000, profitPpm: 333_333 },
] as const

interface Opened {
  id: string
  startedAtMs: number
  unitMs: number
  duration: number
  promisedMinor: bigint
}

let ledger: TestLedger
let investorId: string
const opened: Opened[] = []

beforeAll(async () => {
  ledger = await startTestLedger()
  ledger.clock.set(Date.parse('2028-02-01T00:00:00.000Z'))
  investorId = await createFundedInvestor(ledger, { amountMinor: 100_000_000n })
})
afterAll(() => ledger?.close())

/**
 * Computes the expected profit independently of the tested code: the promised profit times the
 * ended units, divided by all units, rounded down.
 */
function computeExpected({ startedAtMs, unitMs, duration, promisedMinor }: Opened, nowMs: number) {
  const ended = Math.max(0, Math.floor((nowMs - startedAtMs) / unitMs))
  const units = BigInt(Math.min(ended, duration))
  return (promisedMinor * units) / BigInt(duration)
}

async function openInvestment(
  terms: Partial<PlanTerms> & (typeof TERMS)[number],
  amountMinor: bigint,
) {
  const planId = createId(ledger.clock.now())
  const plan = { ...plan30Days, ...terms, referralBonusPpm: 0 }
  await requireRecorded(ledger.submit('DefinePlan', { planId, terms: plan }))
  const investmentId = createId(ledger.clock.now())
  const data = { investmentId, investorId, planId, planVersion: null, amountMinor }
  const { event } = await requireRecorded(ledger.submit('OpenInvestment', data))
  opened.push({
    id: investmentId,
    startedAtMs: Date.parse(String(event.data.startedAt)),
    unitMs: terms.unit === 'days' ? DAY_MS : HOUR_MS,
    duration: terms.duration,
    promisedMinor: BigInt(String(event.data.promisedMinor)),
  })
}

const createClient = () => ({
  ask: ledger.ask,
  submitBriefly: async (commands: Parameters<typeof ledger.parts.writer.submit>[0]) => {
    const answering = ledger.parts.writer.submit(commands, 'bulk')
    if (answering === null) throw new Error('the writer is full')
    return answering
  },
})

async function runAccruals(): Promise<void> {
  // The cast is safe, because a run uses only these two methods of the client.
  const deps = { ledger: createClient(), clock: ledger.clock, log } as unknown as Parameters<
    typeof accrueDueProfit
  >[0]
  await accrueDueProfit(deps)
}

/** Counts the investments whose credited profit differs from the expected profit at `nowMs`. */
async function countDiffering(nowMs: number): Promise<number> {
  let count = 0
  for (const one of opened) {
    const { investment } = await ledger.ask('investment', { investmentId: one.id })
    if (investment?.creditedMinor !== computeExpected(one, nowMs)) count += 1
  }
  return count
}

describe('T17 clocks that jump', () => {
  test('stopped for a month, set back two hours, set ahead a year: the credited profit is exact to the cent', async ({
    task,
  }) => {
    for (const start of STARTS) {
      ledger.clock.set(Date.parse(start))
      for (const terms of TERMS)
        await openInvestment(terms, 10_007n + BigInt(opened.length) * 1_001n)
      // No unit ends within seconds of this time, so the duration of a run does not matter.
      ledger.clock.set(Date.parse(start) + 7 * MINUTE_MS)
      await runAccruals()
      expect(await countDiffering(ledger.clock.now())).toBe(0)
    }
    let highestMs = ledger.clock.now()
    const jumps = [30 * DAY_MS, -2 * HOUR_MS, 3 * HOUR_MS, HOUR_MS, -DAY_MS, 366 * DAY_MS, DAY_MS]
    for (const jumpMs of jumps) {
      const nowMs = ledger.clock.now() + jumpMs
      ledger.clock.set(nowMs)
      highestMs = Math.max(highestMs, nowMs)
      const before = (await ledger.ask('head', { size: null })).size
      await runAccruals()
      // While the clock is before the latest time that it has shown, the ledger must record
      // nothing.
      if (nowMs < highestMs) {
        expect((await ledger.ask('head', { size: null })).size).toBe(before)
      } else {
        expect(await countDiffering(nowMs)).toBe(0)
      }
      await runAccruals()
    }
    const { investors } = await ledger.ask('investors', { investorIds: [investorId] })
    const promised = opened.reduce((sum, { promisedMinor }) => sum + promisedMinor, 0n)
    expect(investors[0]?.available.profit).toBe(promised)
    expect((await ledger.ask('check', {})).problems).toEqual([])
    recordFigure(task, `${opened.length} investments over ${jumps.length} jumps, 0 differ`)
  })

  test('sabotaged twin: a worker that counts its own runs is wrong after a month without runs', async () => {
    opened.length = 0
    await openInvestment(TERMS[0], 50_000n)
    const [one] = opened
    ledger.clock.set(ledger.clock.now() + 20 * DAY_MS)
    await requireRecorded(ledger.submit('AccrueThrough', { investmentId: one?.id ?? '', units: 1 }))
    expect(await countDiffering(ledger.clock.now())).toBe(1)
    await runAccruals()
    expect(await countDiffering(ledger.clock.now())).toBe(0)
  })
})
