/**
 * Formats a count with its noun: `1 event`, `1,402 events`. By default, the plural `many` is the
 * noun with an `s`.
 */
export function formatCounted(count: number | bigint, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 || count === 1n ? one : many}`
}
