import { type OpenTask, toAmount } from '@cairn/gateway-contracts'
import { ALL_TRANSACTIONS, type OperatorTotals } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { countOpenRequests } from '../change-requests/index.ts'
import type { InvestorCounts } from '../users/index.ts'

/**
 * Lists the kinds of work that wait for an administrator. The kind with the oldest item comes
 * first.
 */
export async function listOpenTasks(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  {
    totals,
    investors,
    nowMs,
  }: { totals: OperatorTotals; investors: InvestorCounts; nowMs: number },
): Promise<OpenTask[]> {
  const now = new Date(nowMs).toISOString()
  const [changes, { overdue }, deposits, withdrawals] = await Promise.all([
    countOpenRequests(deps.db),
    deps.ledger.ask('maturities', { now, days: 1 }),
    summarizePendingRequests(deps, totals, 'deposit'),
    summarizePendingRequests(deps, totals, 'withdrawal'),
  ])
  const tasks: Waiting[] = [
    { kind: 'deposits', ...deposits },
    { kind: 'withdrawals', ...withdrawals },
    {
      kind: 'users',
      count: investors.pending,
      amount: null,
      oldestAt: toText(investors.oldestPendingAt),
    },
    { kind: 'names', count: investors.pendingNames, amount: null, oldestAt: null },
    { kind: 'changes', count: changes.count, amount: null, oldestAt: toText(changes.oldestAt) },
    {
      kind: 'maturities',
      count: overdue.count,
      amount: toAmount(overdue.principalMinor + overdue.outstandingMinor),
      oldestAt: null,
    },
  ]
  return tasks.filter(({ count }) => count > 0).toSorted(compareOldestTimes)
}

type Waiting = Omit<OpenTask, 'count'> & { count: number }

async function summarizePendingRequests(
  { ledger }: Pick<Dependencies, 'ledger'>,
  totals: OperatorTotals,
  type: 'deposit' | 'withdrawal',
): Promise<Omit<Waiting, 'kind'>> {
  const row = totals.transactions.find((each) => each.type === type && each.status === 'pending')
  if (row === undefined || row.count === 0) return { count: 0, amount: null, oldestAt: null }
  const { transactions } = await ledger.ask('transactions', {
    ...ALL_TRANSACTIONS,
    investorIds: null,
    order: 'oldest',
    limit: 1,
    type,
    status: 'pending',
  })
  const oldestAt = transactions[0]?.createdAt ?? null
  return { count: row.count, amount: toAmount(row.amountMinor), oldestAt }
}

function toText(at: Date | null): string | null {
  return at === null ? null : at.toISOString()
}

/** Sorts tasks by the time of the oldest request. Tasks without such a time come last. */
function compareOldestTimes(left: Waiting, right: Waiting): number {
  if (left.oldestAt === right.oldestAt) return 0
  if (left.oldestAt === null) return 1
  if (right.oldestAt === null) return -1
  return left.oldestAt < right.oldestAt ? -1 : 1
}
