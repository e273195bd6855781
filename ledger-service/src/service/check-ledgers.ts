import type pg from 'pg'
import { listVerifierKeys, openKeyOfLog } from '../proofs/log-keys.ts'
import { runDatabaseCheck, runLogCheck } from '../proofs/self-check.ts'
import type { SigningKey } from '../proofs/signing-key.ts'
import { runForEach } from './run-for-each.ts'

/**
 * Thrown if a ledger contradicts its checkpoints or lacks a protection. The message has one problem
 * per line.
 */
export class RefusedToStart extends Error {
  override readonly name = 'RefusedToStart'
  readonly ledger: number
  readonly problems: readonly string[]
  constructor(ledger: number, problems: readonly string[]) {
    super(`ledger ${ledger} refuses to start:\n  ${problems.join('\n  ')}`)
    this.ledger = ledger
    this.problems = problems
  }
}

/**
 * Runs the self-check: once what all ledgers of the database share, then each log, `atOnce` logs at a
 * time. Returns the signing key of each ledger, in the order of their numbers. Throws
 * `RefusedToStart` if there is a problem: of several ledgers with problems, it names the first one.
 */
export async function checkLedgers(
  pool: pg.Pool,
  options: {
    ledgers: readonly number[]
    checkpointDir: string
    origin: string
    pem: string
    atOnce: number
  },
): Promise<ReadonlyMap<number, SigningKey>> {
  const { checkpointDir, atOnce, ledgers } = options
  requireNoProblems(ledgers[0] ?? 1, await runDatabaseCheck(pool))
  const keys = new Map<number, SigningKey>()
  await runForEach({ items: ledgers, atOnce }, async (ledger) => {
    const lines = await listVerifierKeys(pool, ledger)
    const key = openKeyOfLog(lines, { ...options, ledger })
    requireNoProblems(ledger, await runLogCheck({ pool, ledger, key, checkpointDir }, lines))
    keys.set(ledger, key)
  })
  return new Map([...keys].toSorted(([one], [other]) => one - other))
}

function requireNoProblems(ledger: number, problems: readonly string[]): void {
  if (problems.length > 0) throw new RefusedToStart(ledger, problems)
}
