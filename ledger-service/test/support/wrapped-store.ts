import type { Store, StoreSession } from '../../src/log/store.ts'

/** The store with every session changed; what is spread from the session stays as it is. */
export function changingSessions(change: (session: StoreSession) => StoreSession) {
  return (store: Store): Store => ({ open: async () => change(await store.open()) })
}

/** A promise as of a process that is dead: nobody ever hears of it again. */
export const NEVER = new Promise<never>(() => {})

/** A writer that takes a statement nobody answered for one that was committed. */
export const takingSilenceForCommit = changingSessions((session) => ({
  ...session,
  append: (move, rows) => session.append(move, rows).catch(() => 'written' as const),
}))
