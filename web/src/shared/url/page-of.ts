const PAGE_MAX = 10_000

/** The page that the address names; the first one when it names none. */
export function pageOf(search: URLSearchParams): number {
  const page = Number(search.get('page') ?? '1')
  return Number.isInteger(page) && page >= 1 && page <= PAGE_MAX ? page : 1
}
