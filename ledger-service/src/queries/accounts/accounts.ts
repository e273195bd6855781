import type { QueryRequest, QueryResponse } from '@cairn/ledger-contracts'
import { formatPrefixPattern } from '../../service/database/filter.ts'
import type { Database } from '../schema.ts'

/** Returns the accounts that have postings, ordered by name. */
export async function listAccounts(
  db: Database,
  { ledger, prefix, after, limit }: QueryRequest<'accounts'> & { ledger: number },
): Promise<QueryResponse<'accounts'>> {
  let query = db
    .selectFrom('balance')
    .select(['account', 'balanceMinor', 'lastSeq'])
    .where('ledgerId', '=', ledger)
    .orderBy('account')
    .limit(limit)
  if (prefix !== '') query = query.where('account', 'like', formatPrefixPattern(prefix))
  if (after !== null) query = query.where('account', '>', after)
  const accounts = await query.execute()
  const last = accounts.at(-1)
  return { accounts, next: accounts.length === limit ? (last?.account ?? null) : null }
}
