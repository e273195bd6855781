import { createLedgerClient } from '@cairn/ledger-contracts'
import { pickRandomItem, requireRecordedAnswers } from './books.ts'
import { answerJob } from './child.ts'
import type { CitusJob } from './citus.ts'
import { createFunding } from './commands.ts'
import { createPlainFetch } from './plain-fetch.ts'
import { measure, type Rate } from './row.ts'

const FUNDED_MINOR = 100n

answerJob(async ({ port, token, busy, callers, commandsAtOnce, seconds }: CitusJob) => {
  const plainFetch = createPlainFetch()
  const url = `http://127.0.0.1:${port}`
  const ledgers = busy.map(({ ledger, investors }) => ({
    client: createLedgerClient({ url, token, ledger, fetch: plainFetch }),
    investors,
  }))
  // The callers are the same for each number of ledgers, and are divided among the ledgers.
  const { perSecond, p99Ms }: Rate = await measure(
    { inFlight: callers, seconds },
    async (index) => {
      const { client, investors } = ledgers[index % ledgers.length] ?? {}
      if (client === undefined || investors === undefined) throw new Error('there is no ledger')
      const commands = Array.from({ length: commandsAtOnce }, () =>
        createFunding(pickRandomItem(investors), FUNDED_MINOR),
      )
      requireRecordedAnswers(await client.submitMany(commands, 'interactive'))
    },
  )
  return { perSecond: perSecond * commandsAtOnce, p99Ms }
})
