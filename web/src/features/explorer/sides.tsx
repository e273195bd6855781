import { toMinor } from '../../shared/money/money.ts'
import { MoneyText } from '../../shared/ui/money-text.tsx'

/** Shows a balance in the column of debits; a debit is below zero. */
export function Debit({ balance }: { balance: number }) {
  return balance < 0 ? <MoneyText minor={toMinor(-balance)} /> : null
}

/** Shows a balance in the column of credits. */
export function Credit({ balance }: { balance: number }) {
  return balance < 0 ? null : <MoneyText minor={toMinor(balance)} />
}
