import { ALL_TRANSACTIONS, account, createLedgerClient } from '@cairn/ledger-contracts'
import { pickRandomItem } from './books.ts'
import { answerJob } from './child.ts'
import { createPlainFetch } from './plain-fetch.ts'
import type { ReadingJob } from './reading.ts'
import { measure } from './row.ts'

const PAGE = 20
/** The page size of the accrual worker. */
const DUE_PAGE = 500

answerJob(async ({ port, token, warmUpSeconds, seconds, subject }: ReadingJob) => {
  const url = `http://127.0.0.1:${port}`
  const client = createLedgerClient({ url, token, fetch: createPlainFetch() })

  async function read(): Promise<void> {
    if ('size' in subject) {
      const seq = BigInt(Math.floor(Math.random() * subject.size))
      await client.ask('inclusion', { seq, size: null })
    } else if ('pastInvestors' in subject) {
      const investorId = pickRandomItem(subject.pastInvestors)
      const code = account.getAvailableCode(investorId, 'balance')
      await client.ask('balance', { account: code, at: pickTime(subject) })
    } else if ('fromMs' in subject) {
      await client.ask('trialBalance', { at: pickTime(subject) })
    } else if ('investments' in subject) {
      const after = pickRandomItem(subject.investments)
      const now = new Date().toISOString()
      await client.ask('due', { now, after, investorId: null, limit: DUE_PAGE })
    } else {
      const investorIds = [pickRandomItem(subject.investors)]
      await client.ask('transactions', { ...ALL_TRANSACTIONS, investorIds, limit: PAGE })
      await client.ask('investors', { investorIds })
    }
  }
  // The first reads are not measured, because connections and query plans are new.
  await measure({ inFlight: 1, seconds: warmUpSeconds }, read)
  return (await measure({ inFlight: 1, seconds }, read)).p99Ms
})

function pickTime({ fromMs, toMs }: { fromMs: number; toMs: number }): string {
  return new Date(fromMs + Math.random() * (toMs - fromMs)).toISOString()
}
