/** Documented failures that no test can cause, with the reason for each. */
export const NOT_PROVOKED: ReadonlyMap<string, string> = new Map([
  ['GET /events 503 TOO_MANY_PAGES', 'it takes two thousand open pages of 250 people'],
])
