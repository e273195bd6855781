import { createLedgerClient } from '@cairn/ledger-contracts'
import { pickRandomItem, requireRecordedAnswers } from './books.ts'
import type { CallersResult } from './callers.ts'
import { answerJob } from './child.ts'
import { createFunding } from './commands.ts'
import type { ManyJob } from './many.ts'
import { createPlainFetch } from './plain-fetch.ts'
import { measure } from './row.ts'

const FUNDED_MINOR = 100n

answerJob(async ({ port, token, busy, callersPerLedger, seconds }: ManyJob) => {
  const url = `http://127.0.0.1:${port}`
  const plainFetch = createPlainFetch()
  const callers = busy.flatMap(({ ledger, investors }) => {
    const client = createLedgerClient({ url, token, ledger, fetch: plainFetch })
    return Array.from({ length: callersPerLedger }, () => ({ client, investors }))
  })
  const inFlight = callers.length
  // Each call takes the caller that has waited longest, so no caller has two calls in progress.
  const waiting = [...callers]
  const { perSecond, p99Ms }: CallersResult = await measure({ inFlight, seconds }, async () => {
    const caller = waiting.shift()
    if (caller === undefined) throw new Error('there are more calls than callers')
    const command = createFunding(pickRandomItem(caller.investors), FUNDED_MINOR)
    requireRecordedAnswers([await caller.client.submit(command)])
    waiting.push(caller)
  })
  return { perSecond, p99Ms }
})
