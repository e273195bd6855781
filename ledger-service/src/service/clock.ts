import { readFileSync } from 'node:fs'

/** The only source of time, in milliseconds since 1970. Other code receives it as a parameter. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: Date.now }

/** A clock for tests: adds the milliseconds in the file to the system time. */
export function fileClock(path: string): Clock {
  return { now: () => Date.now() + Number(readFileSync(path, 'utf8').trim() || '0') }
}
