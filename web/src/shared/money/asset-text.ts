import { formatMoney, toMinor } from './money.ts'

/**
 * Returns `EUR/2` for `cash:bank@EUR/2` or `EUR/2`. Returns null for an account in the currency of
 * the site.
 */
export function getAsset(code: string): string | null {
  return /(?:^|@)([A-Z][A-Z0-9]*\/\d+)$/.exec(code)?.[1] ?? null
}

/**
 * Formats minor units in the asset that the account code contains. If the code contains no asset,
 * uses the currency of the site.
 */
export function formatMinorOf(code: string, minor: bigint): string {
  const asset = getAsset(code)
  if (asset === null) return formatMoney(minor)
  const { name, decimals } = splitAsset(asset)
  const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, '0')
  const at = digits.length - decimals
  const whole = BigInt(digits.slice(0, at)).toLocaleString('en-US')
  const fraction = decimals === 0 ? '' : `.${digits.slice(at)}`
  return `${minor < 0n ? '-' : ''}${whole}${fraction} ${name}`
}

/** Returns `1,250.50 EUR`, or null for the currency of the site. */
export function formatAssetAmount(amount: number, code: string): string | null {
  return getAsset(code) === null ? null : formatMinorOf(code, toMinorOf(code, amount))
}

/** Returns the sum of each asset in minor units. The key null means the currency of the site. */
export function sumByAsset(
  rows: readonly { readonly code: string; readonly amount: number }[],
): ReadonlyMap<string | null, bigint> {
  const sums = new Map<string | null, bigint>()
  for (const { code, amount } of rows) {
    const asset = getAsset(code)
    sums.set(asset, (sums.get(asset) ?? 0n) + toMinorOf(code, amount))
  }
  return sums
}

/** Converts an amount of the API, which has at most the decimals of its asset, to minor units. */
function toMinorOf(code: string, amount: number): bigint {
  const asset = getAsset(code)
  if (asset === null) return toMinor(amount)
  const { decimals } = splitAsset(asset)
  // `toFixed` is not used, because it shows digits of the binary value. The binary value of 0.1
  // differs from 0.1.
  const text = amount.toLocaleString('en-US', {
    useGrouping: false,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return BigInt(text.replace('.', ''))
}

function splitAsset(asset: string): { name: string; decimals: number } {
  const [name = '', decimals = ''] = asset.split('/')
  return { name, decimals: Number(decimals) }
}
