declare const __PINNED_LEDGER_KEYS__: readonly string[]

/**
 * The keys of the ledger that are built into the pages: the first verifier key, and the handovers
 * to later keys. `vite.config.ts` sets them. The list is empty if the operator has built the pages
 * without keys, and in unit tests.
 */
export const pinnedKeys: readonly string[] =
  typeof __PINNED_LEDGER_KEYS__ === 'undefined' ? [] : __PINNED_LEDGER_KEYS__

/** Says which key the pages trust. */
export const KEY_RULE =
  pinnedKeys.length === 0
    ? 'Your browser keeps the key that it saw first, and accepts another key only if the key before it has signed the change.'
    : 'The key is built into this page. Another key is accepted only if the key before it has signed the change.'
