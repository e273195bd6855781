/**
 * Returns the key under which the scroll position of a page is kept. Every first page of a document
 * has the key `default`, so without the path a page would open at the position of another page.
 */
export function getScrollKey({ key, pathname }: { key: string; pathname: string }): string {
  return `${key} ${pathname}`
}
