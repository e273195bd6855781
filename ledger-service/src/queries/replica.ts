import { setTimeout as delay } from 'node:timers/promises'
import type { QueryName } from '@cairn/ledger-contracts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import { registers } from '../service/metrics/metrics.ts'
import { createDatabase, type Database } from './schema.ts'

/** The time that a query waits until the replica has the events that it needs, in milliseconds. */
const WAIT_MS = 500
const LOOK_MS = 20
const REST_MS = 5_000

/**
 * The queries that a replica may answer. All other queries decide something, as which investments
 * are due, or read what the service itself writes.
 */
const REPLICA_QUERIES: ReadonlySet<QueryName> = new Set<QueryName>([
  'accounts',
  'auditSeals',
  'balance',
  'balancesAfter',
  'checkpoints',
  'consistency',
  'decisionTimes',
  'effectiveBalance',
  'events',
  'exportPage',
  'head',
  'inclusion',
  'investment',
  'investmentEvents',
  'investments',
  'investors',
  'maturities',
  'referralEarnings',
  'statement',
  'totals',
  'transaction',
  'transactionEvents',
  'transactions',
  'trialBalances',
])

const replicaQueries = new Counter({
  registers,
  name: 'cairn_ledger_replica_queries_total',
  help: 'Queries that a replica may answer, by the server that answered',
  labelNames: ['server'],
})

/** A server of the database from which queries read. */
export interface Server {
  readonly pool: pg.Pool
  readonly db: Database
}

export interface Replica {
  /**
   * Reads from the replica if it has all events up to `minSeq` within half a second, otherwise from
   * the primary. If the replica fails, the primary answers too.
   */
  read<T>(
    query: { name: QueryName; ledger: number; minSeq: bigint | null },
    from: (server: Server) => Promise<T>,
  ): Promise<T>
}

export function createReplica(options: {
  primary: pg.Pool
  replica: pg.Pool
  log: Logger
  /** The time for which a replica that failed or was late is not asked, in milliseconds. */
  restMs?: number
}): Replica {
  const { restMs = REST_MS } = options
  const primary = { pool: options.primary, db: createDatabase(options.primary) }
  const replica = { pool: options.replica, db: createDatabase(options.replica) }
  /** The number of events of each ledger that the replica is known to have. */
  const sizes = new Map<number, bigint>()
  let restsUntilMs = 0

  async function hasEvents(ledger: number, minSeq: bigint): Promise<boolean> {
    const deadline = performance.now() + WAIT_MS
    while ((sizes.get(ledger) ?? 0n) <= minSeq) {
      const { rows } = await replica.pool.query<{ size: bigint }>(
        'select size from ledger.head where ledger_id = $1',
        [ledger],
      )
      sizes.set(ledger, rows[0]?.size ?? 0n)
      if ((sizes.get(ledger) ?? 0n) > minSeq) return true
      if (performance.now() >= deadline) return false
      await delay(LOOK_MS)
    }
    return true
  }

  /** Returns null if the replica cannot answer now. */
  async function readFromReplica<T>(
    { ledger, minSeq }: { ledger: number; minSeq: bigint | null },
    from: (server: Server) => Promise<T>,
  ): Promise<{ result: T } | null> {
    if (performance.now() < restsUntilMs) return null
    try {
      if (minSeq === null || (await hasEvents(ledger, minSeq))) {
        return { result: await from(replica) }
      }
      rest({ ledger, minSeq })
    } catch (error) {
      // The query names an event that the replica does not have yet, or that does not exist.
      if (error instanceof RangeError) return null
      // A replica cancels queries that hinder it, and it can be gone or promoted.
      rest({ err: error })
    }
    return null
  }

  function rest(reason: object): void {
    // A restored replica may have fewer events than before.
    sizes.clear()
    restsUntilMs = performance.now() + restMs
    options.log.warn(reason, 'the replica did not answer in time; the primary answers')
  }

  return {
    read: async ({ name, ...query }, from) => {
      if (!REPLICA_QUERIES.has(name)) return from(primary)
      const answered = await readFromReplica(query, from)
      replicaQueries.inc({ server: answered === null ? 'primary' : 'replica' })
      return answered === null ? from(primary) : answered.result
    },
  }
}
