import { readFileSync } from 'node:fs'
import { type Store, type StoreSession, wrapSessions } from './store.ts'

/** The points at which a process can crash while it processes a command. */
export const CRASH_POINTS = [
  'before loading',
  'after loading',
  'before the statement',
  'while the statement runs',
  'after the commit, before the answer',
] as const
export type CrashPoint = (typeof CRASH_POINTS)[number]

/**
 * Creates a session that calls `crashProcess` at the crash point. `crashProcess` never resolves.
 */
export function createCrashingSession(
  session: StoreSession,
  { isAt, crashProcess }: { isAt(point: CrashPoint): boolean; crashProcess(): Promise<never> },
): StoreSession {
  return {
    ...session,
    loadSettled: async (hashes) => {
      if (isAt('before loading')) return crashProcess()
      const settled = await session.loadSettled(hashes)
      return isAt('after loading') ? crashProcess() : settled
    },
    append: async (move, rows) => {
      if (isAt('before the statement')) return crashProcess()
      const appending = session.append(move, rows)
      if (isAt('while the statement runs')) {
        appending.catch(() => {})
        return crashProcess()
      }
      const outcome = await appending
      return outcome === 'written' && isAt('after the commit, before the answer')
        ? crashProcess()
        : outcome
    },
  }
}

/**
 * Creates a store that kills its process at the crash point named in `file`. Used by tests only.
 */
export function createCrashingStore(store: Store, file: string): Store {
  const isAt = (point: CrashPoint) => readFileSync(file, 'utf8') === point
  const killProcess = () => {
    process.kill(process.pid, 'SIGKILL')
    return new Promise<never>(() => {})
  }
  const wrapStore = wrapSessions((session) =>
    createCrashingSession(session, { isAt, crashProcess: killProcess }),
  )
  return wrapStore(store)
}
