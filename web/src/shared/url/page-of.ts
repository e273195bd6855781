const PAGE_MAX = 10_000

/** Reads the page number from the URL; 1 by default. */
export function readPageNumber(search: URLSearchParams): number {
  const page = Number(search.get('page') ?? '1')
  return Number.isInteger(page) && page >= 1 && page <= PAGE_MAX ? page : 1
}
