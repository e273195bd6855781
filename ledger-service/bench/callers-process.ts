import { createLedgerClient } from '@cairn/ledger-contracts'
import { pickRandomItem, requireRecordedAnswers } from './books.ts'
import type { CallersJob, CallersResult } from './callers.ts'
import { answerJob } from './child.ts'
import { createFunding } from './commands.ts'
import { createPlainFetch } from './plain-fetch.ts'
import { measure } from './row.ts'

const FUNDED_MINOR = 100n

answerJob(async ({ port, token, investors, callers, seconds }: CallersJob) => {
  const client = createLedgerClient({
    url: `http://127.0.0.1:${port}`,
    token,
    fetch: createPlainFetch(),
    joinsCommands: true,
  })
  const { perSecond, p99Ms }: CallersResult = await measure(
    { inFlight: callers, seconds },
    async () => {
      const command = createFunding(pickRandomItem(investors), FUNDED_MINOR)
      requireRecordedAnswers([await client.submit(command)])
    },
  )
  return { perSecond, p99Ms }
})
