import { describe, expect, test } from 'vitest'
import { recordFigure } from '../support/figure.ts'
import { readFailingSeeds } from './failing-seeds.ts'
import { SABOTAGE } from './sabotage.ts'
import { simulate } from './simulation.ts'

/** The number of seeds for the correct writer. */
const SEEDS = Number(process.env.TORTURE_SEEDS ?? 60)
const SEEDS_FOR_A_BUG = 300

describe('the writer in a simulated world', () => {
  test('keeps its promises with every seed that failed once', async () => {
    for (const { seed, commands } of readFailingSeeds()) {
      expect({ seed, ...(await simulate(seed, { commands })) }).toMatchObject({ violations: [] })
    }
  })

  test(`keeps them with ${SEEDS} seeds`, async ({ task }) => {
    const seen = { events: 0, instances: 0, conflicts: 0 }
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const outcome = await simulate(seed)
      expect({ seed, ...outcome }).toMatchObject({ violations: [] })
      seen.events += outcome.events
      seen.instances += outcome.instances
      seen.conflicts += outcome.conflicts
    }
    recordFigure(
      task,
      `0 of ${SEEDS} seeds failed, ${seen.events} events, ${seen.instances} processes, ` +
        `${seen.conflicts} conflicts`,
    )
    // A simulation with too few processes, events or conflicts would prove little.
    expect(seen.conflicts).toBeGreaterThan(SEEDS / 2)
    expect(seen.instances).toBeGreaterThan(SEEDS * 2)
    expect(seen.events).toBeGreaterThan(SEEDS * 20)
  })

  test('writes the same log again for the same seed', async () => {
    const [once, again, other] = [await simulate(7), await simulate(7), await simulate(8)]
    expect(again).toEqual(once)
    expect(other.hash).not.toBe(once.hash)
  })

  test.each(Object.entries(SABOTAGE))('notices that %s', async (_name, parts) => {
    const found = await findFirstViolation(parts)
    expect(found?.violations ?? []).not.toEqual([])
  })
})

async function findFirstViolation(parts: (typeof SABOTAGE)[string]) {
  for (let seed = 1; seed <= SEEDS_FOR_A_BUG; seed += 1) {
    const { violations } = await simulate(seed, { parts })
    if (violations.length > 0) return { seed, violations }
  }
  return null
}
