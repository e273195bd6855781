import {
  ACCOUNT_KINDS,
  type AccountKind,
  type Asset,
  formatAssetMinor,
  getAsset,
  removeAsset,
  sumByAsset,
} from '@cairn/ledger-contracts'

type Totals = ReadonlyMap<string, bigint>

/**
 * Formats an amount with the name and all decimals of its asset, such as `-12.50 EUR`. If the code
 * of the account or the name of the total contains no asset, the asset is the currency of the
 * ledger.
 */
export function formatAmountOf(
  code: string,
  { minor, currency }: { minor: bigint; currency: Asset },
): string {
  const asset = getAsset(code) ?? currency
  return `${formatAssetMinor(minor, asset)} ${asset.slice(0, asset.indexOf('/'))}`
}

/**
 * Formats one line for each account kind and the sum of each asset. The currency of the ledger comes
 * first, then the other assets by name. The kinds have the order of the chart of accounts.
 */
export function formatTrialBalance(totals: Totals, currency: Asset): readonly string[] {
  const sums = [...sumByAsset(totals.size === 0 ? [['sum', 0n]] : totals)]
  const assets = sums.toSorted(([left], [right]) => compareTexts(left ?? '', right ?? ''))
  const rows = assets.flatMap(([asset, sum]) => [
    ...[...totals]
      .filter(([name]) => getAsset(name) === asset)
      .toSorted(([left], [right]) => getOrder(left) - getOrder(right))
      .map(([name, minor]) => ({ name, minor })),
    { name: asset === null ? 'sum' : `sum@${asset}`, minor: sum },
  ])
  const lines = rows.map(({ name, minor }) => {
    return { label: removeAsset(name), amount: formatAmountOf(name, { minor, currency }) }
  })
  const width = Math.max(...lines.map(({ label }) => label.length))
  return lines.map(({ label, amount }) => `${label.padEnd(width)} ${amount}`)
}

/**
 * True if the sum of each asset is zero. One sum over all assets is not enough, because errors in
 * two assets could cancel out.
 */
export function isBalanced(totals: Totals): boolean {
  return [...sumByAsset(totals).values()].every((sum) => sum === 0n)
}

/** Returns the place of an account kind in the chart of accounts. */
function getOrder(name: string): number {
  // The cast is safe, because a name that the chart lacks has the order -1.
  return ACCOUNT_KINDS.indexOf(removeAsset(name) as AccountKind)
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
