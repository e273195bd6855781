import type { Claim } from '../claims/index.ts'

/**
 * For each claim, the line of evidence that contains the main number. The card shows this number
 * first.
 */
const LEADING: Partial<Record<Claim['key'], string>> = {
  'profit-guarantee': 'Reserve',
  'secured-investments': 'Second factor',
  'instant-transactions': 'Nine out of ten within',
  'real-time-tracking': 'Nine out of ten within',
  'free-transfers': 'Deposit fee',
}
const NUMBER = /[\d.,]+(?:%| (?:ms|minutes?|hours?|days?))/

/**
 * Returns the measured number of a claim, such as `100%`; null if the claim has no measured number.
 */
export function findFigure({ key, evidence }: Pick<Claim, 'key' | 'evidence'>): string | null {
  const line = evidence.find(({ label }) => label === LEADING[key])
  return NUMBER.exec(line?.value ?? '')?.[0] ?? null
}
