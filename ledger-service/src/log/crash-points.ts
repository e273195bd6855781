import { readFileSync } from 'node:fs'
import type { Store, StoreSession } from './store.ts'

/** Where a process may die while it works on one command. */
export const CRASH_POINTS = [
  'before loading',
  'after loading',
  'before the statement',
  'while the statement runs',
  'after the commit, before the answer',
] as const
export type CrashPoint = (typeof CRASH_POINTS)[number]

/** The session of a process that dies once it comes to the point; `die` never returns to it. */
export function dyingSession(
  session: StoreSession,
  { isAt, die }: { isAt(point: CrashPoint): boolean; die(): Promise<never> },
): StoreSession {
  return {
    ...session,
    loadSettled: async (hashes) => {
      if (isAt('before loading')) return die()
      const settled = await session.loadSettled(hashes)
      return isAt('after loading') ? die() : settled
    },
    append: async (move, rows) => {
      if (isAt('before the statement')) return die()
      const appending = session.append(move, rows)
      if (isAt('while the statement runs')) {
        appending.catch(() => {})
        return die()
      }
      const outcome = await appending
      return outcome === 'written' && isAt('after the commit, before the answer') ? die() : outcome
    },
  }
}

/** A store whose process kills itself at the point that stands in the file; for tests alone. */
export function crashingStore(store: Store, file: string): Store {
  const isAt = (point: CrashPoint) => readFileSync(file, 'utf8') === point
  const die = () => {
    process.kill(process.pid, 'SIGKILL')
    return new Promise<never>(() => {})
  }
  return { open: async () => dyingSession(await store.open(), { isAt, die }) }
}
