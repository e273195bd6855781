import type { NewestAnswered } from '../../src/log/answered.ts'
import { wrapSessions } from '../../src/log/store.ts'

/** A promise that never settles. Calls to a crashed process return this promise. */
export const NEVER = new Promise<never>(() => {})

/**
 * Sabotaged twin: the store reports a statement as committed although the database did not answer.
 */
export const takingSilenceForCommit = wrapSessions((session) => ({
  ...session,
  append: (move, rows) => session.append(move, rows).catch(() => 'written' as const),
}))

/** Sabotaged twin: the process forgets which events it has answered. */
export const FORGETFUL: NewestAnswered = {
  get event() {
    return null
  },
  set event(_event) {},
}
