/** True in `npm run torture`, which measures each page in all looks. */
const MEASURES_ALL = process.env.TORTURE_LOOKS === 'all'

/**
 * Returns the looks in which the page at that place of a list is measured. In `npm test` this is one
 * look, and the next page has the next one.
 */
export function chooseLooks<Look>(looks: readonly Look[], place: number): readonly Look[] {
  return MEASURES_ALL ? looks : looks.slice(place % looks.length).slice(0, 1)
}
