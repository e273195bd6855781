import { LIST_OFFSET_MAX, Sort } from '@cairn/gateway-contracts'

const PAGE_MAX = 1_000_000
export const ROWS_PER_PAGE = 20

type Place = { page: number; after?: string; before?: string }

/**
 * Reads the page number from the URL. Returns 1 if the number is missing or invalid, or if the
 * server cannot find the page.
 */
export function readPageNumber(search: URLSearchParams): number {
  const page = Number(search.get('page') ?? '1')
  if (!Number.isInteger(page) || page < 1 || page > PAGE_MAX) return 1
  return isBeyondOffsets(page) && readCursor(search) === null ? 1 : page
}

/**
 * Reads from the URL which page of a list to request. The server finds pages by number only up to a
 * limit. A page beyond this limit is requested by the id of the row directly before or after the
 * page.
 */
export function readPagePlace(search: URLSearchParams): Place {
  const page = readPageNumber(search)
  const cursor = readCursor(search)
  return isBeyondOffsets(page) && cursor !== null ? { page: 1, ...cursor } : { page }
}

/**
 * Returns the URL parameters for a page of a list. `rows` are the rows of the page that is shown
 * now.
 */
export function toPageParameters(
  { from, to }: { from: number; to: number },
  rows: ReadonlyArray<{ id: string }>,
): { page: string | null; after: string | null; before: string | null } {
  const page = to === 1 ? null : String(to)
  if (!isBeyondOffsets(to)) return { page, after: null, before: null }
  const isForward = to > from
  return {
    page,
    after: isForward ? (rows.at(-1)?.id ?? null) : null,
    before: isForward ? null : (rows[0]?.id ?? null),
  }
}

/** Reads the order of a list from the URL. By default, the newest rows come first. */
export function readSort(search: URLSearchParams): { sort?: Sort } {
  const sort = Sort.options.find((each) => each === search.get('sort'))
  return sort === undefined ? {} : { sort }
}

/** Tells whether the server finds the page only by the id of a row beside it. */
export function isBeyondOffsets(page: number): boolean {
  return (page - 1) * ROWS_PER_PAGE > LIST_OFFSET_MAX
}

function readCursor(search: URLSearchParams): { after: string } | { before: string } | null {
  const after = search.get('after')
  if (after !== null) return { after }
  const before = search.get('before')
  return before === null ? null : { before }
}
