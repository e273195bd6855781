/** Shows a time as `Nov 21, 2026, 12:00 UTC`, without the date library of the signed-in pages. */
export function UtcMoment({ at }: { at: string }) {
  const words = new Date(at)
    .toUTCString()
    .replace(/^\w+, 0?(\d+) (\w+) (\d+) (.*):\d\d GMT$/, '$2 $1, $3, $4 UTC')
  return <time dateTime={at}>{words}</time>
}
