import { getAsset, type LedgerClient, TREASURY } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { listLedgerClients } from '../../platform/ledger-client/requested-ledger.ts'

const CASH_ACCOUNTS_MAX = 500

interface CashAccount {
  /** The payment option, or `treasury`. */
  option: string
  balanceMinor: bigint
}

/**
 * Lists the cash accounts of the requested ledger in the currency of the site. Without a request, the
 * balance of a payment option is the sum of its accounts in all ledgers, because all of them are paid
 * through one bank account.
 */
export async function listCash(
  deps: Pick<Dependencies, 'ledgers'>,
  requested?: number | undefined,
): Promise<readonly CashAccount[]> {
  const clients = await listLedgerClients(deps, requested)
  const books = await Promise.all(clients.map(({ client }) => listCashOf(client)))
  const byOption = Map.groupBy(books.flat(), ({ option }) => option)
  return [...byOption].map(([option, accounts]) => ({
    option,
    balanceMinor: accounts.reduce((sum, { balanceMinor }) => sum + balanceMinor, 0n),
  }))
}

async function listCashOf(ledger: LedgerClient): Promise<readonly CashAccount[]> {
  const { accounts } = await ledger.ask('accounts', {
    prefix: 'cash:',
    after: null,
    limit: CASH_ACCOUNTS_MAX,
  })
  return accounts
    .filter(({ account }) => getAsset(account) === null)
    .map(({ account, balanceMinor }) => ({
      option: account.slice('cash:'.length),
      // The ledger stores a cash balance as a debit, which is negative, so the sign is changed.
      balanceMinor: -balanceMinor,
    }))
}

/** Adds up the accounts of the payment options, without the treasury. */
export function sumPaymentAccounts(cash: readonly CashAccount[]): bigint {
  return cash
    .filter(({ option }) => option !== TREASURY)
    .reduce((sum, { balanceMinor }) => sum + balanceMinor, 0n)
}
