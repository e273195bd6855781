/**
 * Formats a count with its noun: `1 event`, `1,402 events`. By default, the plural `many` is the
 * noun with an `s`. This function does not use `toLocaleString`, because the first use in a page
 * blocks the page until the browser has loaded its number formats (docs/adr/0191).
 */
export function formatCounted(count: number | bigint, one: string, many = `${one}s`): string {
  const digits = String(count).replace(/\B(?=(?:\d{3}){1,9}$)/g, ',')
  return `${digits} ${count === 1 || count === 1n ? one : many}`
}
