import { getAdminStats, getMyStats, toAmount, type UserStats } from '@cairn/gateway-contracts'
import { ALL_TRANSACTIONS, type LedgerTransaction } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import { findInvestor } from '../../platform/ledger-client/investors.ts'
import { EMPTY_WALLET, toWalletAmounts } from '../../platform/ledger-client/wallet-name.ts'
import { listActiveInvestments, toAdminInvestments, toProgress } from '../investments/index.ts'
import { toAdminTransactions, toReviewedTransactions } from '../transactions/index.ts'
import { countInvestors } from '../users/index.ts'
import { listOpenTasks } from './open-tasks.ts'

const PANEL_ROWS = 5
/** The panel of pending requests has space for more rows than the other panels of the dashboard. */
const PENDING_ROWS = 7
const LATEST = { investorIds: null, from: null, to: null, q: null, limit: PANEL_ROWS, offset: 0 }

export function createStatsRoutes(
  deps: Pick<Dependencies, 'clock' | 'db' | 'ledger'>,
): readonly Route[] {
  const options = { rate: 'read', owner: 'own', audit: null } as const
  return [
    declareRoute(getMyStats, options, async (_request, exchange) => {
      const { userId } = getCaller(exchange)
      const [investor, active, profitMinor, pending_deposits] = await Promise.all([
        findInvestor(deps.ledger, userId),
        listActiveInvestments(deps.ledger, userId),
        sumProfit(deps, userId),
        sumPendingDeposits(deps, userId),
      ])
      const totals = investor?.totals
      return {
        stats: {
          investments: active.map(toProgress),
          total_deposit: toAmount(totals?.depositedMinor ?? 0n),
          wallet: investor === null ? EMPTY_WALLET : toWalletAmounts(investor.available),
          held: investor === null ? EMPTY_WALLET : toWalletAmounts(investor.held),
          pending_deposits,
          invested: toAmount(investor?.principalMinor ?? 0n),
          total_investment: totals?.investmentCount ?? 0,
          total_amount: toAmount(totals?.investedMinor ?? 0n),
          total_profit: toAmount(profitMinor),
          total_referral: toAmount(totals?.referralMinor ?? 0n),
        },
      }
    }),
    declareRoute(getAdminStats, { ...options, owner: 'any' }, async (_request, { nowMs }) => {
      const [{ totals }, investors, latest, settled, pending, { investments }] = await Promise.all([
        deps.ledger.ask('totals', {}),
        countInvestors(deps.db),
        listLatestTransactions(deps, null),
        listSettledTransactions(deps),
        listLatestTransactions(deps, 'pending'),
        deps.ledger.ask('investments', { ...LATEST, order: 'newest', status: null }),
      ])
      const [
        latest_transactions,
        settled_transactions,
        latest_investments,
        pending_transactions,
        tasks,
      ] = await Promise.all([
        toAdminTransactions(deps, latest),
        toAdminTransactions(deps, settled),
        toAdminInvestments(deps, investments),
        toReviewedTransactions(deps, pending),
        listOpenTasks(deps, { totals, investors, nowMs }),
      ])
      const getAmount = (kind: string) => toAmount(totals.byKind[kind] ?? 0n)
      return {
        stats: {
          users: investors.users,
          total_balance: getAmount('balance'),
          total_profit: getAmount('profit'),
          total_referral_balance: getAmount('referral'),
          pending_transactions: countStatus(totals.transactions, 'pending'),
          active_investments: countStatus(totals.investments, 'active'),
        },
        latest_transactions,
        settled_transactions,
        latest_investments,
        pending_transactions,
        tasks,
      }
    }),
  ]
}

/**
 * Sums the profit that all investments of the investor have credited. The total in the row of the
 * investor also contains fundings of the wallet `profit`, which no investment has earned.
 */
async function sumProfit(
  { ledger }: Pick<Dependencies, 'ledger'>,
  investorId: string,
): Promise<bigint> {
  const { profitMinor } = await ledger.ask('investments', {
    ...LATEST,
    investorIds: [investorId],
    limit: 1,
    order: 'newest',
    status: null,
  })
  return profitMinor
}

async function sumPendingDeposits(
  { ledger }: Pick<Dependencies, 'ledger'>,
  investorId: string,
): Promise<UserStats['pending_deposits']> {
  const { total, totalMinor } = await ledger.ask('transactions', {
    ...ALL_TRANSACTIONS,
    investorIds: [investorId],
    limit: 1,
    type: 'deposit',
    status: 'pending',
  })
  return { count: total, amount: toAmount(totalMinor) }
}

/** Lists the newest transactions that are not pending. */
async function listSettledTransactions(
  deps: Pick<Dependencies, 'ledger'>,
): Promise<readonly LedgerTransaction[]> {
  const [paid, declined] = await Promise.all([
    listLatestTransactions(deps, 'success'),
    listLatestTransactions(deps, 'declined'),
  ])
  return [...paid, ...declined].toSorted(compareNewest).slice(0, PANEL_ROWS)
}

function compareNewest(left: LedgerTransaction, right: LedgerTransaction): number {
  return Date.parse(right.createdAt) - Date.parse(left.createdAt)
}

/** Lists the newest transactions, or the oldest pending transactions if `status` is `pending`. */
async function listLatestTransactions(
  deps: Pick<Dependencies, 'ledger'>,
  status: 'pending' | 'success' | 'declined' | null,
): Promise<readonly LedgerTransaction[]> {
  const order = status === 'pending' ? 'oldest' : 'newest'
  const { transactions } = await deps.ledger.ask('transactions', {
    ...ALL_TRANSACTIONS,
    investorIds: null,
    limit: status === 'pending' ? PENDING_ROWS : PANEL_ROWS,
    order,
    status,
  })
  return transactions
}

function countStatus<Status extends string>(
  rows: readonly { status: Status; count: number }[],
  status: Status,
): number {
  return rows.reduce((sum, row) => sum + (row.status === status ? row.count : 0), 0)
}
