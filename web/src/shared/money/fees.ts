import { formatMoneyBriefly, type Minor, parseMoney } from './money.ts'
import { computePercent } from './percent.ts'

export type Quote = { amount: Minor; fee: Minor; net: Minor }

/** Computes the fee and the net amount in the same way as the server. */
export function computeQuote(amount: Minor, feePercent: number): Quote {
  const fee = computePercent(amount, feePercent)
  return { amount, fee, net: amount - fee }
}

/**
 * Returns the smallest amount whose net amount is `net`. A step adds what the net amount still lacks,
 * so the steps never exceed the result. A fee is at most 10 percent, so there are few steps.
 */
export function findGrossAmount(net: Minor, feePercent: number): Minor {
  let amount = net
  for (;;) {
    const missing = net - computeQuote(amount, feePercent).net
    if (missing <= 0n) return amount
    amount += missing
  }
}

/** Names the fee before an amount is known, such as `Fee 1.5%`. */
export function describeFee(percent: number): string {
  return percent === 0 ? 'No fee' : `Fee ${percent}%`
}

/** Returns why a typed amount cannot be sent; null if it can. A bound is null while it is unknown. */
export function findAmountRefusal(
  typed: string,
  bounds: { min: Minor | null; max: Minor | null; noun: 'deposit' | 'withdrawal' },
): string | null {
  if (typed.trim() === '') return 'Enter an amount'
  const amount = parseMoney(typed)
  if (amount === null || amount <= 0n) return 'Enter an amount with at most two decimals'
  if (bounds.min !== null && amount < bounds.min) {
    return `Minimum ${bounds.noun} is ${formatMoneyBriefly(bounds.min)}`
  }
  if (bounds.max !== null && amount > bounds.max) {
    return `You can withdraw up to ${formatMoneyBriefly(bounds.max)} from this source`
  }
  return null
}
