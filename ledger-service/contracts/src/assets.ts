import { z } from 'zod'

/**
 * A currency and the number of its decimal places, such as `USD/2`. All amounts are whole numbers
 * of the smallest unit of the currency.
 */
export const Asset = z
  .string()
  .regex(/^[A-Z][A-Z0-9]{1,9}\/(?:\d|1[0-8])$/, 'must be an asset, such as USD/2')
export type Asset = z.infer<typeof Asset>

/** Returns the number of decimal places of an asset: 2 for `USD/2`. */
export function getAssetDecimals(asset: Asset): number {
  return Number(asset.slice(asset.indexOf('/') + 1))
}

/** Formats minor units with all decimals of the asset: 1,234 of `USD/2` is `12.34`. */
export function formatAssetMinor(minor: bigint, asset: Asset): string {
  const decimals = getAssetDecimals(asset)
  const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, '0')
  const at = digits.length - decimals
  const sign = minor < 0n ? '-' : ''
  return decimals === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, at)}.${digits.slice(at)}`
}

/** The currency of a ledger until an administrator chooses another currency. */
export const DEFAULT_CURRENCY: Asset = 'USD/2'
