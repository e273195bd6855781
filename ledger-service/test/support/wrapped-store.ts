import type { Store, StoreSession } from '../../src/log/store.ts'

/** Wraps each session of a store. Methods that are not replaced stay the same. */
export function changingSessions(change: (session: StoreSession) => StoreSession) {
  return (store: Store): Store => ({ open: async () => change(await store.open()) })
}

/** A promise that never settles, like a call to a crashed process. */
export const NEVER = new Promise<never>(() => {})

/** Sabotaged twin: treats an unanswered statement as committed. */
export const takingSilenceForCommit = changingSessions((session) => ({
  ...session,
  append: (move, rows) => session.append(move, rows).catch(() => 'written' as const),
}))
