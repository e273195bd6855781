import { getAsset, TREASURY } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'

const CASH_ACCOUNTS_MAX = 500

interface CashAccount {
  /** The payment option, or `treasury`. */
  option: string
  balanceMinor: bigint
}

/** Lists the cash accounts in the currency of the site. */
export async function listCash({
  ledger,
}: Pick<Dependencies, 'ledger'>): Promise<readonly CashAccount[]> {
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
