const MARK = '@'

/**
 * Returns the asset in the code of an account or in the name of a total. Returns null if the code
 * or name contains no asset, which means the currency of the ledger.
 */
export function getAsset(code: string): string | null {
  const at = code.indexOf(MARK)
  return at < 0 ? null : code.slice(at + 1)
}

/** Returns the code or name without its asset. */
export function removeAsset(code: string): string {
  const at = code.indexOf(MARK)
  return at < 0 ? code : code.slice(0, at)
}

/** Returns the code that this account has in the given asset. */
export function addAsset(code: string, asset: string): string {
  return `${code}${MARK}${asset}`
}

/** Returns the sum of each asset. The key `null` means the currency of the ledger. */
export function sumByAsset(
  amounts: Iterable<readonly [code: string, amountMinor: bigint]>,
): ReadonlyMap<string | null, bigint> {
  const sums = new Map<string | null, bigint>()
  for (const [code, amountMinor] of amounts) {
    const asset = getAsset(code)
    sums.set(asset, (sums.get(asset) ?? 0n) + amountMinor)
  }
  return sums
}
