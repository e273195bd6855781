/** Shows a time as `21 Nov 2026, 12:00 UTC`, without the date library of the signed-in pages. */
export function UtcMoment({ at }: { at: string }) {
  const words = new Date(at).toUTCString().replace(/^\w+, (.*):\d\d GMT$/, '$1 UTC')
  return <time dateTime={at}>{words}</time>
}
