import { readFileSync } from 'node:fs'

/** The one source of time, in milliseconds since 1970; everything else is handed it. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: Date.now }

/** A clock that a test moves by writing milliseconds to add into a file. */
export function fileClock(path: string): Clock {
  return { now: () => Date.now() + Number(readFileSync(path, 'utf8').trim() || '0') }
}
