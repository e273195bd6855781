/** Formats an amount, for example `$20` or `$1,250.50`. Zero cents are omitted. */
export function formatDollars(minor: bigint): string {
  const dollars = (minor / 100n).toString().replace(/\B(?=(?:\d{3}){1,9}$)/g, ',')
  const cents = minor % 100n
  return cents === 0n ? `$${dollars}` : `$${dollars}.${cents.toString().padStart(2, '0')}`
}
