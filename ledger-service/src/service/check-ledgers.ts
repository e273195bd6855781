import type pg from 'pg'
import type { Logger } from 'pino'
import { listLedgersOfNodes } from '../log/shards.ts'
import { checkDatabase } from '../proofs/database-check.ts'
import { listVerifierKeys, openKeyOfLog } from '../proofs/log-keys.ts'
import { runLogCheck } from '../proofs/self-check.ts'
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

  logProblems(log: Logger): void {
    for (const problem of this.problems) log.fatal({ ledger: this.ledger }, problem)
  }
}

export interface CheckedLedgers {
  /** The signing key of each ledger that passed its check, in the order of their numbers. */
  readonly keys: ReadonlyMap<number, SigningKey>
  /** The ledgers on the silent nodes. They are not checked. */
  readonly waiting: readonly number[]
  /** The nodes of a Citus cluster that could not be checked, as `host:port`, and why. */
  readonly silentNodes: ReadonlyMap<string, string>
}

/**
 * Runs the self-check: once what all ledgers of the database share, then each log, `atOnce` logs at a
 * time. Throws `RefusedToStart` if there is a problem: of several ledgers with problems, it names the
 * first one.
 */
export async function checkLedgers(
  pool: pg.Pool,
  options: {
    ledgers: readonly number[]
    checkpointDir: string
    origin: string
    pems: readonly string[]
    atOnce: number
  },
): Promise<CheckedLedgers> {
  const { checkpointDir, atOnce, ledgers } = options
  const { problems, silentNodes } = await checkDatabase(pool)
  requireNoProblems(ledgers[0] ?? 1, problems)
  const waiting = await listLedgersOfNodes(pool, { ledgers, nodes: [...silentNodes.keys()] })
  const answering = ledgers.filter((ledger) => !waiting.includes(ledger))
  const keys = new Map<number, SigningKey>()
  await runForEach({ items: answering, atOnce }, async (ledger) => {
    const lines = await listVerifierKeys(pool, ledger)
    const key = openKeyOfLog(lines, { ...options, ledger })
    requireNoProblems(ledger, await runLogCheck({ pool, ledger, key, checkpointDir }, lines))
    keys.set(ledger, key)
  })
  const sorted = new Map([...keys].toSorted(([one], [other]) => one - other))
  return { keys: sorted, waiting, silentNodes }
}

function requireNoProblems(ledger: number, problems: readonly string[]): void {
  if (problems.length > 0) throw new RefusedToStart(ledger, problems)
}
