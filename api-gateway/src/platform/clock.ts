import { readFileSync } from 'node:fs'

/**
 * The only source of the time, in milliseconds since 1970. Code receives a clock instead of reading
 * the time.
 */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: Date.now }

/** A clock for tests: it adds the milliseconds that a test has written to a file. */
export function fileClock(path: string): Clock {
  return { now: () => Date.now() + Number(readFileSync(path, 'utf8').trim() || '0') }
}
