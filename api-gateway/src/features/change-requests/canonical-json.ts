/** Returns JSON with sorted keys, so that equal values have equal bytes. Bigints become strings. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === 'bigint') return item.toString()
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
    const entries = Object.entries(item).toSorted(([left], [right]) => (left < right ? -1 : 1))
    return Object.fromEntries(entries)
  })
}
