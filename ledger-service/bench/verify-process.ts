import { checkBooks } from './books.ts'
import { answerJob } from './child.ts'

interface VerifyJob {
  ledgerUrl: string
}

export interface VerifyResult {
  events: number
  perSecond: number
  /** The largest resident memory of the process, in MB of 1,000,000 bytes. */
  peakMb: number
}

answerJob(run)

async function run({ ledgerUrl }: VerifyJob): Promise<VerifyResult> {
  const began = performance.now()
  const { events } = await checkBooks(ledgerUrl)
  const seconds = (performance.now() - began) / 1_000
  // `maxRSS` is in kilobytes of 1,024 bytes.
  const peakMb = (process.resourceUsage().maxRSS * 1_024) / 1_000_000
  return { events: Number(events), perSecond: Number(events) / seconds, peakMb }
}
