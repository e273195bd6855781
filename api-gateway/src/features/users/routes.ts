import { fundUserWallet, getMe, listUsers, toAmount } from '@cairn/gateway-contracts'
import type { InvestorSummary } from '@cairn/ledger-contracts'
import { findGrantedRoles } from '../../platform/access/granted-roles.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import { findInvestors } from '../../platform/ledger-client/investors.ts'
import { toTargetFailure } from '../../platform/ledger-client/refusal.ts'
import { toLedgerWallet } from '../../platform/ledger-client/wallet-name.ts'
import { createWalletChanges } from '../adjustments/index.ts'
import { listBankAccounts } from '../banks/index.ts'
import { type RequestDependencies, submitOrRequest } from '../change-requests/index.ts'
import { presentUser } from './present-user.ts'
import { getUserRow, toUser } from './user.ts'
import { countInvestors, listUserRows } from './user-list.ts'

export function createUserRoutes(
  deps: RequestDependencies & Pick<Dependencies, 'clock' | 'settings'>,
): readonly Route[] {
  return [
    declareRoute(
      getMe,
      { rate: 'read', owner: 'own', audit: null },
      async (_request, exchange) => ({
        user: await presentUser(deps, await getUserRow(deps.db, getCaller(exchange).userId)),
        permissions: [...getCaller(exchange).permissions],
      }),
    ),
    createListRoute(deps),
    createFundWalletRoute(deps),
  ]
}

function createListRoute(deps: Pick<Dependencies, 'clock' | 'db' | 'ledger' | 'settings'>): Route {
  const options = { rate: 'read', owner: 'any', audit: null } as const
  return declareRoute(listUsers, options, async ({ query }, exchange) => {
    const [{ general }, { rows, meta }, counts, { totals }] = await Promise.all([
      deps.settings.read(),
      listUserRows(deps.db, query, getCaller(exchange)),
      countInvestors(deps.db),
      deps.ledger.ask('totals', {}),
    ])
    const investorIds = rows.filter(({ role }) => role === 'user').map(({ id }) => id)
    const adminIds = rows.filter(({ role }) => role === 'admin').map(({ id }) => id)
    const nowMs = deps.clock.now()
    const [investors, roles, accounts] = await Promise.all([
      findInvestors(deps.ledger, investorIds),
      findGrantedRoles(deps.db, adminIds),
      // `listBankAccounts` combines concurrent calls into one database query.
      Promise.all(rows.map(({ id: userId }) => listBankAccounts(deps.db, { userId, nowMs }))),
    ])
    const { siteUrl } = general
    const users = rows.map((row, index) => {
      const investor = investors.get(row.id) ?? null
      const granted = roles.get(row.id) ?? []
      const bankAccounts = accounts[index] ?? []
      const user = toUser(row, { investor, roles: granted, bankAccounts, siteUrl })
      return { ...user, netWorth: row.role === 'admin' ? null : toAmount(sumNetWorth(investor)) }
    })
    const balance = toAmount(totals.byKind.balance ?? 0n)
    const { users: all, active, pending } = counts
    return { users, meta: { ...meta, totals: { users: all, active, pending, balance } } }
  })
}

/** Returns zero for an investor who is not in the ledger yet. */
function sumNetWorth(investor: InvestorSummary | null): bigint {
  if (investor === null) return 0n
  const { available, held, principalMinor } = investor
  const sum = (amounts: InvestorSummary['held']) =>
    amounts.balance + amounts.profit + amounts.referral
  return sum(available) + sum(held) + principalMinor
}

function createFundWalletRoute(
  deps: RequestDependencies & Pick<Dependencies, 'clock' | 'settings'>,
): Route {
  const definition = createWalletChanges(deps)['wallet-funding']
  return declareRoute(
    fundUserWallet,
    { rate: 'money', owner: 'any', audit: 'wallet.fund', needsFreshFactor: true },
    async ({ params, body }, exchange) => {
      const row = await getUserRow(deps.db, params.id)
      if (row.role !== 'user') {
        throw new HttpFailure(422, 'NO_WALLET', 'Administrators have no wallet')
      }
      const wallet = toLedgerWallet(body.wallet_type)
      const { amount: amountMinor, category, reason } = body
      const transactionId = exchange.subjectId
      const data = { transactionId, investorId: row.id, wallet, amountMinor, category, reason }
      await submitOrRequest(deps, exchange, {
        type: 'FundWallet',
        definition,
        data,
        about: row.id,
        key: exchange.key,
        reason,
        fields: ['amount'],
        wording: toTargetFailure,
      })
      exchange.note({ subject: row.id, wallet, amountMinor: body.amount })
      return { user: await presentUser(deps, row) }
    },
  )
}
