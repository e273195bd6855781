import { readFileSync } from 'node:fs'

/**
 * The source of the current time, in milliseconds since 1970. Code receives a clock as a parameter.
 */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: Date.now }

/** A clock for tests, which adds the milliseconds in the file to the system time. */
function createFileClock(path: string): Clock {
  return { now: () => Date.now() + Number(readFileSync(path, 'utf8').trim() || '0') }
}

/** Throws an Error if CAIRN_CLOCK_FILE is set without `NODE_ENV=test`. */
export function chooseClock(environment: {
  NODE_ENV: string
  CAIRN_CLOCK_FILE?: string | undefined
}): Clock {
  if (environment.CAIRN_CLOCK_FILE === undefined) return systemClock
  if (environment.NODE_ENV === 'test') return createFileClock(environment.CAIRN_CLOCK_FILE)
  throw new Error('CAIRN_CLOCK_FILE moves the clock and is only allowed with NODE_ENV=test')
}
