import {
  type InvestmentMeta,
  type listInvestments,
  type ParsedRequestOf,
  toAmount,
} from '@cairn/gateway-contracts'
import type { LedgerClient, LedgerInvestment } from '@cairn/ledger-contracts'
import type { z } from 'zod'
import type { Dependencies } from '../../platform/dependencies.ts'
import { toMeta, toOffset } from '../../platform/http/pages.ts'
import { LEDGER_ORDER, type ListReader, resolveSearch } from '../transactions/index.ts'

const ACTIVE_MAX = 1_000

type Filter = ParsedRequestOf<typeof listInvestments>['query']

/** Returns a page of the investments of one investor, or of all investors. */
export async function listPage(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  filter: Filter,
  reader: ListReader,
): Promise<{
  investments: readonly LedgerInvestment[]
  meta: z.infer<typeof InvestmentMeta>
}> {
  const found = await deps.ledger.ask('investments', {
    ...(await resolveSearch(deps, filter, reader)),
    from: filter.from ?? null,
    to: filter.to ?? null,
    order: LEDGER_ORDER[filter.sort],
    limit: filter.limit,
    offset: toOffset(filter),
    after: filter.after,
    before: filter.before,
    status: filter.status ?? null,
  })
  const totals = {
    invested: toAmount(found.investedMinor),
    profit: toAmount(found.profitMinor),
    active: found.activeCount,
  }
  const { investments, total } = found
  const lastId = investments.at(-1)?.investmentId
  const meta = toMeta(filter, { total, rows: investments.length, lastId })
  return { investments, meta: { ...meta, totals } }
}

export async function listActiveInvestments(
  ledger: LedgerClient,
  investorId: string,
): Promise<readonly LedgerInvestment[]> {
  const { investments } = await ledger.ask('investments', {
    investorIds: [investorId],
    from: null,
    to: null,
    order: 'newest',
    limit: ACTIVE_MAX,
    offset: 0,
    status: 'active',
    q: null,
  })
  return investments
}
