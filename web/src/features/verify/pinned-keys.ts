declare const __PINNED_LEDGER_KEYS__: readonly string[]

/**
 * The keys of the ledger that are built into the pages: the first verifier key, and the handovers
 * to later keys. `vite.config.ts` sets them. The list is empty if the operator has built the pages
 * without keys, and in unit tests.
 */
export const pinnedKeys: readonly string[] =
  typeof __PINNED_LEDGER_KEYS__ === 'undefined' ? [] : __PINNED_LEDGER_KEYS__
