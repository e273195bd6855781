import type { Clock } from '@cairn/service-kit/clock'
import type { Random } from './random.ts'

const START_MS = Date.parse('2026-03-01T09:00:00.000Z')
const TURN_MS_MAX = 10

/** The clock, the outages and the timers of a simulation. They advance in steps, called turns. */
export interface World {
  readonly random: Random
  readonly clock: Clock
  /** Waits for this number of turns. */
  waitTurns(count: number): Promise<void>
  runAfter(turns: number, then: () => void): void
  pause(ms: number): Promise<void>
  /** True while the database is unreachable. */
  isOutage(): boolean
  setOutage(turns: number): void
  /** Moves the clocks of the processes and of the database. */
  jumpClock(ms: number): void
  /** Sets the difference between the clocks of the processes and the clock of the database. */
  setClockError(ms: number): void
  getDatabaseNow(): number
  /** Advances by one turn. Only the driver of the simulation calls it. */
  tick(): Promise<void>
}

export function createWorld(random: Random): World {
  let nowMs = START_MS
  let clockErrorMs = 0
  let turn = 0
  let outageUntil = 0
  let waiting: { due: number; then(): void }[] = []

  function runAfter(turns: number, then: () => void): void {
    waiting.push({ due: turn + turns, then })
  }

  return {
    random,
    clock: { now: () => nowMs + clockErrorMs },
    getDatabaseNow: () => nowMs,
    runAfter,
    waitTurns: (count) => new Promise((resolve) => runAfter(count, resolve)),
    pause: (ms) => {
      // If the clock jumps, a process reads a new time, but the remaining duration of its timers
      // does not change.
      return new Promise((resolve) => runAfter(Math.ceil(ms / TURN_MS_MAX), resolve))
    },
    isOutage: () => turn < outageUntil,
    setOutage: (turns) => {
      outageUntil = turn + turns
    },
    jumpClock: (ms) => {
      nowMs += ms
    },
    setClockError: (ms) => {
      clockErrorMs = ms
    },
    tick: async () => {
      await new Promise((resolve) => setImmediate(resolve))
      turn += 1
      nowMs += random.pickInt(TURN_MS_MAX)
      const due = waiting.filter((item) => item.due <= turn)
      waiting = waiting.filter((item) => item.due > turn)
      for (const { then } of due) then()
    },
  }
}
