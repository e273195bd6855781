/** Formats a count with its noun: `1 event`, `1,402 events`. By default, `many` is `one` with an `s`. */
export function formatCounted(count: number | bigint, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 || count === 1n ? one : many}`
}

/**
 * Formats a count or the number of an event: `1,402`. This function does not use `toLocaleString`,
 * because the first use in a page blocks the page until the browser has loaded its number formats
 * (docs/adr/0191).
 */
export function formatCount(count: number | bigint | string): string {
  return String(count).replace(/\B(?=(?:\d{3}){1,9}$)/g, ',')
}
