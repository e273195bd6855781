import { readUntilAnswered } from '@cairn/local/repeated-read'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calls, performCalls } from './calls.ts'
import { readControls } from './controls.ts'
import { HOLES } from './holes.ts'
import { findViolation, readEvents } from './violation.ts'
import { openWorld, type World } from './world.ts'

// These tests act as one administrator who has every role, with the real gateway and the real
// ledger. They check two properties. In any 24 hours, the amounts that this administrator moves
// alone stay below the threshold. No control becomes weaker.

/** The number of sequences; 20,000 in `npm run torture`. */
const RUNS = Number(process.env.ONE_ADMIN_RUNS ?? 150)
/**
 * The timeout grows with the number of sequences. It is long, because sequences are slow on a busy
 * machine. The timeout is not a performance limit.
 */
const TIMEOUT_MS = 900_000 + RUNS * 500
/**
 * The number of platforms (worlds) that the test runs at the same time. A platform spends most of
 * its time waiting for answers.
 */
const WORLDS = 4
/**
 * The maximum number of sequences in which the test must find a check that was disabled on purpose.
 * Usually far fewer sequences are needed.
 */
const HOLE_RUNS_MAX = 2_000

/** Events of these types show that the sequences came near the threshold. */
const NEAR_THRESHOLD = [
  'DepositApproved',
  'DepositDeclined',
  'DepositReversed',
  'WithdrawalApproved',
  'WithdrawalReversed',
  'WalletFunded',
  'WalletAdjusted',
  'ReserveFunded',
  'ReserveWithdrawn',
  'SweptToReserve',
  'InvestmentDenied',
  'MoneyRulesSet',
  'PlanDefined',
]
/**
 * The number of these types that may be missing. The sequences are random, so a short run would
 * have to be much longer to reach the rarest types.
 */
const MISSING_MAX = RUNS >= 2_000 ? 0 : 2
/**
 * While more than `MISSING_MAX` types are missing, this number of sequences runs in addition, at most
 * `MORE_MAX` times.
 */
const MORE_RUNS = 40
const MORE_MAX = 15

/** For each type of event, the number of events that the administrator caused alone. */
type Seen = Map<string, number>

function createProperty(world: World, seen: Seen) {
  const { before, gateway } = world
  const { ledger } = gateway
  return fc.asyncProperty(calls, async (script) => {
    const place = await world.beginRound()
    const { size } = await readUntilAnswered(() =>
      ledger.events({ after: 0n, waitSeconds: 0, limit: 1 }),
    )
    await performCalls({ world, place }, script)
    const events = await readUntilAnswered(() => readEvents(ledger, size))
    for (const { type } of events) seen.set(type, (seen.get(type) ?? 0) + 1)
    const after = await readUntilAnswered(() => readControls(gateway))
    expect(findViolation(events, { before, after })).toBeNull()
  })
}

describe('one administrator with a session, every role and no second person', () => {
  let worlds: readonly World[] = []
  beforeAll(async () => {
    worlds = await Promise.all(Array.from({ length: WORLDS }, () => openWorld()))
  })
  afterAll(() => Promise.all(worlds.map((world) => world.close())))

  test('moves less than the threshold in a day and weakens no control', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const seen: Seen = new Map()
    const checkSequences = async (runs: number) => {
      // A failing sequence is not shortened. The sequences share a platform, so a repeated sequence
      // would not start in the state in which the sequence failed.
      const options = { numRuns: Math.ceil(runs / WORLDS), endOnFailure: true }
      await Promise.all(worlds.map((world) => fc.assert(createProperty(world, seen), options)))
    }
    const listMissing = () => NEAR_THRESHOLD.filter((type) => !seen.has(type))
    await checkSequences(RUNS)
    for (let more = 0; more < MORE_MAX && listMissing().length > MISSING_MAX; more += 1) {
      await checkSequences(MORE_RUNS)
    }
    expect(listMissing().slice(MISSING_MAX)).toEqual([])
  })
})

describe('the same property finds a planted hole:', () => {
  test.each(Object.entries(HOLES))('%s', async (_name, sabotage) => {
    const world = await openWorld(sabotage)
    try {
      const found = await fc.check(createProperty(world, new Map()), {
        numRuns: HOLE_RUNS_MAX,
        endOnFailure: true,
      })
      expect(found.failed).toBe(true)
      // The property must fail because it found a violation, and not because the test has an error.
      expect(String(found.errorInstance)).toContain('to be null')
    } finally {
      await world.close()
    }
  })
})
