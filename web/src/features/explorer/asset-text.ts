/** Returns `EUR/2` for `cash:bank@EUR/2` or `EUR/2`; null for an account in the currency of the site. */
export function getAsset(code: string): string | null {
  return /(?:^|@)([A-Z][A-Z0-9]*\/\d+)$/.exec(code)?.[1] ?? null
}

/** Returns `1,250.50 EUR`, or null for the currency of the site. */
export function formatAssetAmount(amount: number, code: string): string | null {
  const [name, decimals] = getAsset(code)?.split('/') ?? []
  if (name === undefined) return null
  const digits = Number(decimals)
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return `${amount.toLocaleString('en-US', format)} ${name}`
}
