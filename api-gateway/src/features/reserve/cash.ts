import { getAsset, type LedgerClient, TREASURY } from '@cairn/ledger-contracts'
import type { ListedLedger } from '../../platform/ledger-client/requested-ledger.ts'

const CASH_ACCOUNTS_MAX = 500

interface CashAccount {
  /** The payment option, or `treasury`. */
  option: string
  balanceMinor: bigint
}

/**
 * Lists the cash accounts in the currency of the site. The balance of a payment option is the sum of
 * its accounts in these ledgers, because all of them are paid through one bank account.
 */
export async function listCash(listed: readonly ListedLedger[]): Promise<readonly CashAccount[]> {
  const books = await Promise.all(listed.map(({ client }) => listCashOf(client)))
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
