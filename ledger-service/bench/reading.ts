import { runInChild } from './child.ts'

export interface ReadingJob {
  port: number
  token: string
  warmUpSeconds: number
  seconds: number
  /**
   * With `investors`, each read gets the newest transactions and the balances of one of these
   * investors. With `size`, each read gets an inclusion proof from a log of this size.
   */
  subject: { investors: readonly string[] } | { size: number }
}

/** Makes one read after another. Returns the 99th percentile of the latency in milliseconds. */
export function measureReadingP99(job: ReadingJob): Promise<number> {
  return runInChild('reading-process.ts', job)
}
