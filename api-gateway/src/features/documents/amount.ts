/** Formats an amount with cents, for example `1,250.50` or `-20.00`. */
export function formatCents(minor: bigint): string {
  const size = minor < 0n ? -minor : minor
  const dollars = (size / 100n).toString().replace(/\B(?=(?:\d{3}){1,9}$)/g, ',')
  const cents = (size % 100n).toString().padStart(2, '0')
  return `${minor < 0n ? '-' : ''}${dollars}.${cents}`
}
