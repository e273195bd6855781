import { getSite } from '../site/site.ts'

/** Returns the text before an amount, such as `$`. The page renders again if the currency changes. */
export function getMoneyPrefix(): string {
  return getSite().moneyPrefix
}

/** Returns the amount that is shown while amounts are hidden. */
export function getHiddenMoney(): string {
  return `${getMoneyPrefix()}••••`
}
