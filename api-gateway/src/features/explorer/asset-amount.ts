import { toAmount } from '@cairn/gateway-contracts'
import {
  ACCOUNT_KINDS,
  type AccountKind,
  formatAssetMinor,
  getAsset,
  getAssetDecimals,
  removeAsset,
  sumByAsset,
} from '@cairn/ledger-contracts'

const SITE_DECIMALS = 2

/**
 * Converts minor units to an amount. `code` is an account code or a name that can contain the
 * asset. If `code` contains no asset, the amount is in the currency of the site.
 */
export function toAmountOf(code: string, minor: bigint): number {
  const asset = getAsset(code)
  return asset === null ? toAmount(minor) : Number(formatAssetMinor(minor, asset))
}

/** Formats an amount with all decimals of the asset that the code of the account contains. */
export function formatAmountOf(code: string, amount: number): string {
  return formatAssetAmount(getAsset(code), amount)
}

/** Formats an amount with all decimals of an asset. Null means the currency of the site. */
export function formatAssetAmount(asset: string | null, amount: number): string {
  const decimals = asset === null ? SITE_DECIMALS : getAssetDecimals(asset)
  // Uses `toLocaleString`, because `toFixed` would print the digits in which the binary value of
  // 0.1 differs from 0.1.
  return amount.toLocaleString('en-US', {
    useGrouping: false,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: 'negative',
  })
}

/**
 * Returns the rows in the order of the chart of accounts. Rows in an asset other than the site's
 * currency come last.
 */
export function toTrialBalanceRows(totals: Readonly<Record<string, bigint>>) {
  const getOrder = (name: string) => ACCOUNT_KINDS.indexOf(removeAsset(name) as AccountKind)
  const getAssetOrEmpty = (name: string) => getAsset(name) ?? ''
  const names = Object.keys(totals).toSorted(
    (left, right) =>
      getAssetOrEmpty(left).localeCompare(getAssetOrEmpty(right), 'en') ||
      getOrder(left) - getOrder(right),
  )
  return names.map((name) => {
    const asset = getAsset(name)
    const balance = toAmountOf(name, totals[name] ?? 0n)
    return { kind: removeAsset(name), ...(asset !== null && { asset }), balance }
  })
}

/**
 * Returns the sum of the absolute totals of all assets, so that the result is zero only if the
 * total of each asset is zero.
 */
export function sumSizes(totals: Readonly<Record<string, bigint>>): number {
  const sums = [...sumByAsset(Object.entries(totals)).values()]
  return toAmount(sums.reduce((size, sum) => size + (sum < 0n ? -sum : sum), 0n))
}
