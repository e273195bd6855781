import {
  addMyBank,
  type BankAccount,
  confirmMyBank,
  exportMyBanks,
  listMyBanks,
  makeDefaultBank,
  removeMyBank,
  resendBankCode,
} from '@cairn/gateway-contracts'
import { ALL_TRANSACTIONS } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { createListRoutes, toSinglePage } from '../../platform/http/list-export.ts'
import { declareRoute, type Exchange, getCaller, type Route } from '../../platform/http/registry.ts'
import {
  addBankAccount,
  archiveBankAccount,
  getOwnBankAccount,
  listBankAccounts,
  makeDefault,
} from './bank-account.ts'
import { BANK_COLUMNS } from './bank-columns.ts'
import { countBankMail, mailBankChange, requireNoWait } from './bank-mails.ts'
import { confirmAccount, sendBankCode } from './confirmation.ts'

export function createBankRoutes(deps: Dependencies): readonly Route[] {
  return [
    ...createListRoutes({
      list: listMyBanks,
      read: async (_request, exchange) => ({ accounts: await listOwnAccounts(deps, exchange) }),
      csv: {
        endpoint: exportMyBanks,
        fileName: 'bank-accounts.csv',
        audit: null,
        columns: BANK_COLUMNS,
        toRequest: (request) => request,
        toPage: ({ accounts }) => toSinglePage(accounts),
      },
    }),
    createAddRoute(deps),
    ...createConfirmationRoutes(deps),
    createDefaultRoute(deps),
    declareRoute(
      removeMyBank,
      { rate: 'write', owner: 'own', audit: 'bank-account.remove' },
      async ({ params }, exchange) => {
        const { userId } = getCaller(exchange)
        const { nowMs } = exchange
        await deps.db.transaction().execute(async (trx) => {
          const account = await archiveBankAccount(trx, { userId, id: params.id, nowMs })
          // Checked last, so that a withdrawal that was requested meanwhile is found. The approval
          // refuses one that is requested between this check and the commit.
          await requireNoPendingWithdrawal(deps, { userId, id: params.id })
          // Nothing could be paid to an account that was never confirmed.
          if (account.status === 'unconfirmed') return
          await mailBankChange(trx, deps.seal, { kind: 'bank-removed', userId, account, nowMs })
        })
        exchange.note({ subject: params.id })
        return null
      },
    ),
  ]
}

/**
 * Creates the route that adds a bank account. If the settings have no waiting period, the new
 * account is confirmed without a code.
 */
function createAddRoute(deps: Dependencies): Route {
  return declareRoute(
    addMyBank,
    { rate: 'write', owner: 'own', audit: 'bank-account.add' },
    async ({ body }, exchange) => {
      const { nowMs, note } = exchange
      const { userId, email } = getCaller(exchange)
      const user = { userId, email }
      const { security } = await deps.settings.read()
      const isConfirmed = security.bankCoolingHours === 0
      const account = await deps.db.transaction().execute(async (trx) => {
        const added = await addBankAccount(trx, { ...body, userId, isConfirmed, nowMs })
        if (isConfirmed) {
          requireNoWait(await countBankMail(trx, deps, { user, pool: 'bank-code', nowMs }))
          const change = { kind: 'bank-confirmed', userId, account: added, nowMs } as const
          await mailBankChange(trx, deps.seal, change)
        } else {
          const { id: accountId, bankName } = added
          const code = await sendBankCode(trx, deps, { user, accountId, bankName, nowMs })
          if (!code.isSent) requireNoWait(code.retryAfterSeconds)
        }
        return added
      })
      note({ subject: account.id })
      return { account, accounts: await listOwnAccounts(deps, exchange) }
    },
  )
}

function createDefaultRoute(deps: Pick<Dependencies, 'db' | 'rateLimitScale' | 'seal'>): Route {
  return declareRoute(
    makeDefaultBank,
    { rate: 'write', owner: 'own', audit: 'bank-account.default' },
    async ({ params: { id } }, exchange) => {
      const { userId, email } = getCaller(exchange)
      const { nowMs } = exchange
      const account = await deps.db.transaction().execute(async (trx) => {
        const { account, isChanged } = await makeDefault(trx, { userId, id, nowMs })
        if (isChanged) {
          const mail = { user: { userId, email }, pool: 'bank-default', nowMs } as const
          requireNoWait(await countBankMail(trx, deps, mail))
          await mailBankChange(trx, deps.seal, { kind: 'bank-default', userId, account, nowMs })
        }
        return account
      })
      exchange.note({ subject: id })
      return { account, accounts: await listOwnAccounts(deps, exchange) }
    },
  )
}

function createConfirmationRoutes(deps: Dependencies): readonly Route[] {
  return [
    declareRoute(
      confirmMyBank,
      { rate: 'code', owner: 'own', audit: 'bank-account.confirm' },
      async ({ params, body }, exchange) => {
        const { userId } = getCaller(exchange)
        const { nowMs } = exchange
        const known = await getOwnBankAccount(deps.db, { userId, id: params.id, nowMs })
        if (known.status === 'unconfirmed') {
          const { security } = await deps.settings.read()
          const coolingHours = security.bankCoolingHours
          const { code } = body
          await confirmAccount(deps, { userId, accountId: known.id, code, coolingHours, nowMs })
        }
        exchange.note({ subject: known.id })
        const account = await getOwnBankAccount(deps.db, { userId, id: params.id, nowMs })
        return { account, accounts: await listOwnAccounts(deps, exchange) }
      },
    ),
    declareRoute(
      resendBankCode,
      { rate: 'code', owner: 'own', audit: null },
      async ({ params }, exchange) => {
        const { userId, email } = getCaller(exchange)
        const { nowMs } = exchange
        const {
          id: accountId,
          bankName,
          status,
        } = await getOwnBankAccount(deps.db, {
          userId,
          id: params.id,
          nowMs,
        })
        if (status !== 'unconfirmed') return { retryAfter: 0, isSent: false }
        const request = { user: { userId, email }, accountId, bankName, nowMs }
        const sent = await deps.db.transaction().execute((trx) => sendBankCode(trx, deps, request))
        return { retryAfter: sent.retryAfterSeconds, isSent: sent.isSent }
      },
    ),
  ]
}

async function listOwnAccounts(
  deps: Pick<Dependencies, 'db'>,
  exchange: Exchange,
): Promise<BankAccount[]> {
  const { userId } = getCaller(exchange)
  return [...(await listBankAccounts(deps.db, { userId, nowMs: exchange.nowMs }))]
}

async function requireNoPendingWithdrawal(
  deps: Pick<Dependencies, 'ledger'>,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  const { transactions } = await deps.ledger.ask('transactions', {
    ...ALL_TRANSACTIONS,
    investorIds: [userId],
    limit: 1_000,
    type: 'withdrawal',
    status: 'pending',
  })
  if (!transactions.some(({ bankAccountId }) => bankAccountId === id)) return
  const message = 'A pending withdrawal goes to this bank account'
  throw new HttpFailure(409, 'BANK_ACCOUNT_IN_USE', message)
}
