import { type Minor, toMinor } from '../../shared/money/money.ts'
import type { Reserve } from './queries.ts'

/** The cash account that belongs to no payment option. */
const TREASURY = 'treasury'

type PaymentAccounts = {
  accounts: Reserve['cash']
  treasury: Reserve['cash'][number] | undefined
  /** The sum of the accounts, without the treasury. */
  sumMinor: Minor
  /** The sum less what is owed to investors. */
  restMinor: Minor
  /** All cash in the ledger, with the treasury, less what is owed to investors. */
  cashRestMinor: Minor
  /**
   * The part of what is owed that only the treasury can pay; zero if the payment accounts hold
   * enough, or if all cash together is less than what is owed.
   */
  fromTreasuryMinor: Minor
}

/** Names a cash account. The name of the treasury says that no investor pays into it. */
export function describeCashAccount({ option, name }: Reserve['cash'][number]): string {
  return option === TREASURY ? `${name}, no payment account` : name
}

/** Lists the treasury first, so that the payment accounts stand directly above their sum. */
export function sortTreasuryFirst(cash: Reserve['cash']): Reserve['cash'] {
  return cash.toSorted(
    (one, other) => Number(other.option === TREASURY) - Number(one.option === TREASURY),
  )
}

/** Groups the cash into the accounts of the payment options and the treasury. */
export function groupPaymentAccounts({ cash, liabilities }: Reserve): PaymentAccounts {
  const accounts = cash.filter(({ option }) => option !== TREASURY)
  const treasury = cash.find(({ option }) => option === TREASURY)
  const sumMinor = accounts.reduce((sum, { balance }) => sum + toMinor(balance), 0n)
  const restMinor = sumMinor - toMinor(liabilities)
  const cashRestMinor = restMinor + toMinor(treasury?.balance ?? 0)
  const fromTreasuryMinor = restMinor < 0n && cashRestMinor >= 0n ? -restMinor : 0n
  return { accounts, treasury, sumMinor, restMinor, cashRestMinor, fromTreasuryMinor }
}
