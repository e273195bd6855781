/**
 * Tells whether the URL can be the reason for an empty list. `cleared` has the parameters that
 * clearing the filters removes. One of them is the page, because a page after the last page is also
 * empty.
 */
export function isFiltered(
  search: URLSearchParams,
  cleared: Readonly<Record<string, null>>,
): boolean {
  return Object.keys(cleared).some((name) => search.has(name))
}
