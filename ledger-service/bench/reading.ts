import { runInChild } from './child.ts'

export type ReadingSubject =
  /** Each read gets the newest transactions and the balances of one of these investors. */
  | { investors: readonly string[] }
  /** Each read gets an inclusion proof from a log of this size. */
  | { size: number }
  /** Each read gets the trial balance at a time between these two Unix times, in milliseconds. */
  | { fromMs: number; toMs: number }
  /** Each read gets the balance of one of these investors at a time between these times. */
  | { pastInvestors: readonly string[]; fromMs: number; toMs: number }
  /** Each read gets a page of due investments after one of these investments. */
  | { investments: readonly string[] }

export interface ReadingJob {
  port: number
  token: string
  warmUpSeconds: number
  seconds: number
  subject: ReadingSubject
}

/** Makes one read after another. Returns the 99th percentile of the latency in milliseconds. */
export function measureReadingP99(job: ReadingJob): Promise<number> {
  return runInChild('reading-process.ts', job)
}
