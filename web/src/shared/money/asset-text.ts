import { formatMoney } from './money.ts'

/** Returns `EUR/2` for `cash:bank@EUR/2` or `EUR/2`; null for an account in the currency of the site. */
export function getAsset(code: string): string | null {
  return /(?:^|@)([A-Z][A-Z0-9]*\/\d+)$/.exec(code)?.[1] ?? null
}

/** Formats minor units of the asset that the code contains, by default in the currency of the site. */
export function formatMinorOf(code: string, minor: bigint): string {
  const decimals = Number(getAsset(code)?.split('/')[1] ?? 0)
  return formatAssetAmount(Number(minor) / 10 ** decimals, code) ?? formatMoney(minor)
}

/** Returns `1,250.50 EUR`, or null for the currency of the site. */
export function formatAssetAmount(amount: number, code: string): string | null {
  const [name, decimals] = getAsset(code)?.split('/') ?? []
  if (name === undefined) return null
  const digits = Number(decimals)
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return `${amount.toLocaleString('en-US', format)} ${name}`
}
