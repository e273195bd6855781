import { runInChild } from './child.ts'

export interface ReadingJob {
  port: number
  token: string
  warmUpSeconds: number
  seconds: number
  /** A person's newest page and balances, or the inclusion proofs of events in a log of that size. */
  subject: { investors: readonly string[] } | { size: number }
}

/** Reads one after the other; answers the 99th percentile in milliseconds. */
export function readingP99(job: ReadingJob): Promise<number> {
  return runInChild('reading-process.ts', job)
}
