/**
 * The number of decimals of each currency that a site can have. Amounts are stored in hundredths,
 * so only currencies with two decimals are possible.
 */
const DECIMALS = 2

/** Returns the codes of the currencies that a site can have. */
export function listCurrencies(): readonly string[] {
  return Intl.supportedValuesOf('currency').filter(
    (currency) =>
      new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions()
        .maximumFractionDigits === DECIMALS,
  )
}

/**
 * Returns the text before an amount, such as `$` for USD and `CA$` for CAD. For a currency without
 * a sign of its own, returns the code and a space.
 */
export function getCurrencyPrefix(currency: string): string {
  const parts = new Intl.NumberFormat('en-US', { style: 'currency', currency }).formatToParts(0)
  const sign = parts.find(({ type }) => type === 'currency')?.value ?? currency
  return /\p{Letter}$/u.test(sign) ? `${sign}\u00a0` : sign
}

/** Returns the name of a currency in the plural, such as `US dollars`. */
export function getCurrencyName(currency: string): string {
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    currencyDisplay: 'name',
  })
  return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency
}

/** Returns the asset of the ledger for a currency that a site can have, such as `USD/2`. */
export function formatAsset(currency: string): string {
  return `${currency}/${DECIMALS}`
}
