import type { Id, InvestorSummary, LedgerClient } from '@cairn/ledger-contracts'
import { batchLookups } from '../database/batched.ts'

const IDS_PER_QUERY = 1_000

/** Returns investors by id. Ids that the ledger does not know are missing from the result. */
export async function findInvestors(
  ledger: LedgerClient,
  investorIds: readonly Id[],
): Promise<ReadonlyMap<Id, InvestorSummary>> {
  const found = new Map<Id, InvestorSummary>()
  for (let start = 0; start < investorIds.length; start += IDS_PER_QUERY) {
    const page = investorIds.slice(start, start + IDS_PER_QUERY)
    const { investors } = await ledger.ask('investors', { investorIds: page })
    for (const investor of investors) found.set(investor.investorId, investor)
  }
  return found
}

const findOne = batchLookups(
  async (ledger: LedgerClient, investorIds) => [
    ...(await findInvestors(ledger, investorIds)).values(),
  ],
  ({ investorId }) => investorId,
)

export async function findInvestor(
  ledger: LedgerClient,
  investorId: Id,
): Promise<InvestorSummary | null> {
  const [investor = null] = await findOne(ledger, investorId)
  return investor
}
