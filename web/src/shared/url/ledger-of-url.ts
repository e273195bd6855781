/** Parses the number of a ledger in the URL; null if the text is not one. */
export function parseLedger(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,3}$/.test(text) ? Number(text) : null
}

/** Returns the query parameter that chooses a ledger; nothing if none is chosen. */
export function toLedgerQuery(ledger: number | null): { ledger?: number } {
  return ledger === null ? {} : { ledger }
}

/** Returns the address at which the page shows the ledger. */
export function toLedgerPath(path: string, ledger: number | null): string {
  return ledger === null ? path : `${path}?ledger=${ledger}`
}
