import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { JUDGES_TIMES } from '@cairn/local/time-limit'
import { describe, expect, test } from 'vitest'
import { recordFigure } from '../support/figure.ts'
import { findMutants } from './find-mutants.ts'

/** The number of changed places of the deciders. The scorecard sets 150, `npm run torture` all. */
const COUNT = Number(process.env.TORTURE_MUTANTS ?? 4)
const SEED = 1
/** A few mutants say little about all of them, so only a large sample has the bar. */
const SCORE_MIN = JUDGES_TIMES ? 0.85 : 0.25

interface Score {
  all: number
  chosen: number
  killed: number
}

/** Runs the tests whose path contains `tests` on mutants of the deciders. */
async function measureScore(tests: string): Promise<Score & { survivors: readonly string[] }> {
  const main = join(import.meta.dirname, 'main.ts')
  const args = [main, '--count', String(COUNT), '--seed', String(SEED), '--tests', tests]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const lines = stdout.trim().split('\n')
  // The cast is safe, because the program prints this object in its last line.
  const score = JSON.parse(lines.pop() ?? '') as Score
  return { ...score, survivors: lines.filter((line) => line.startsWith('survived: ')) }
}

const formatScore = ({ all, chosen, killed }: Score) =>
  `${killed} of ${chosen} mutants noticed (${Math.round((killed / chosen) * 100)} %; there are ${all})`

test('each kind of change is found once', () => {
  const source = `
    function decide(state, command) {
      if (command.amountMinor > state.balance) return refuse('INSUFFICIENT')
      if (state.plan === undefined) throw new Error('there is no plan')
      return { left: -1n * (state.balance - command.amountMinor), name: 'a' + command.name }
    }`
  const found = findMutants('decide.ts', source)
  expect(found.map(({ mutation, line, original }) => [mutation, line, original])).toEqual([
    ['guard removed', 3, "if (command.amountMinor > state.balance) return refuse('INSUFFICIENT')"],
    ['boundary off by one', 3, '>'],
    ['comparison flipped', 3, '>'],
    ['comparison flipped', 4, '==='],
    ['sign flipped', 5, '-1n'],
    ['sign flipped', 5, '-'],
  ])
  const [, boundary] = found
  expect(boundary?.text).toBe(source.replace('>', '>='))
})

describe('T60 changed deciders', () => {
  test(`are noticed by the unit tests: at least ${SCORE_MIN * 100} % of the mutants`, async ({
    task,
  }) => {
    const score = await measureScore('')
    recordFigure(task, formatScore(score))
    const message = score.survivors.join('\n')
    expect(score.killed / score.chosen, message).toBeGreaterThanOrEqual(SCORE_MIN)
  })

  test('sabotaged twin: are not noticed by tests of another decider', async ({ task }) => {
    const score = await measureScore('/audit-log/')
    recordFigure(task, formatScore(score))
    expect(score.killed / score.chosen).toBeLessThan(SCORE_MIN)
  })
})
