/**
 * The search parameters that belong only to the current visit. A saved view of the list does not
 * contain them.
 */
const PASSING = [
  'page',
  'after',
  'before',
  'transaction',
  'investment',
  'action',
  'banks',
  'request',
  'line',
]

/** Returns the search parameters of a view: the search, the filters and the order of the list. */
export function readViewSearch(search: URLSearchParams): string {
  const kept = new URLSearchParams(search)
  for (const name of PASSING) kept.delete(name)
  return kept.toString()
}
