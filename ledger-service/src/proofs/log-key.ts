import { formatVerifierKey } from '@cairn/ledger-contracts/proof'
import type pg from 'pg'
import { findSuccessor, listVerifierKeys, openKeyOfLog, openKeysOrFirst } from './log-keys.ts'
import type { SigningKey } from './signing-key.ts'

type Queryable = Pick<pg.ClientBase, 'query'>

/** The signing key of a log. Its fields are those of the newest key that this process has seen. */
export interface LogKey extends SigningKey {
  /**
   * Opens the newest key of the log if a command has replaced it. Throws if this process has no
   * copy of that key. A key that does not change while it is in use has no `update`.
   */
  update?(client: Queryable): Promise<void>
}

/** Keeps a key up to date that another process can replace. */
export function createLogKey(
  first: SigningKey,
  options: { ledger: number; origin: string; readPems: () => Promise<readonly string[]> },
): LogKey {
  const { ledger, readPems } = options
  let current = first
  return {
    get origin() {
      return current.origin
    },
    get verifierKey() {
      return current.verifierKey
    },
    signCheckpoint: (head) => current.signCheckpoint(head),
    signHandover: (to) => current.signHandover(to),
    update: async (client) => {
      const successor = await findSuccessor(client, ledger)
      if (successor === null || successor === current.verifierKey) return
      const lines = await listVerifierKeys(client, ledger)
      const newest = openKeysOrFirst(lines).map(formatVerifierKey).at(-1)
      const found = openKeyOfLog(lines, { ...options, pems: await readPems() })
      if (found.verifierKey !== newest) {
        throw new Error(
          `ledger ${ledger} is signed with ${newest} now: copy the file of this key to this instance`,
        )
      }
      current = found
    },
  }
}
