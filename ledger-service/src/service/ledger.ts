import type { Answer, Command, Durability, QueryName, QueryRequest } from '@cairn/ledger-contracts'
import { type Clock, systemClock } from '@cairn/service-kit/clock'
import type pg from 'pg'
import type { Logger } from 'pino'
import { model as ruleBook } from '../domain/model.ts'
import type { NewestAnswered } from '../log/answered.ts'
import type { OpenPair } from '../log/connection-pairs.ts'
import { createElectedWriter, type ElectionOptions } from '../log/election.ts'
import { createFeed } from '../log/feed.ts'
import type { Model } from '../log/model.ts'
import { createPostgresStore } from '../log/postgres-store.ts'
import { type BatchStatement, createBatchStatement } from '../log/statement.ts'
import type { Store } from '../log/store.ts'
import { logTables } from '../log/tables.ts'
import { createWriter, type WriterOptions } from '../log/writer.ts'
import { createCheckpoints } from '../proofs/checkpoints.ts'
import type { LogKey } from '../proofs/log-key.ts'
import { closeMonths } from '../proofs/month-end.ts'
import { requireSigned } from '../proofs/self-check.ts'
import { createVerifications } from '../proofs/verifications.ts'
import { createPastTotalsFiller } from '../queries/accounts/past-totals-filler.ts'
import { queryHandlers, type Reading } from '../queries/query-handlers.ts'
import type { Replica, Server } from '../queries/replica.ts'
import { createDatabase } from '../queries/schema.ts'
import type { LedgerParts } from './http/routes.ts'
import { createRuleLog } from './rule-copies/rule-log.ts'
import type { LedgerTracing } from './tracing/ledger-tracing.ts'

/** The service has other work in its first seconds. Its ledgers are not filled all at once. */
const FIRST_FILL_MS = 10_000
const NEXT_FILL_MS = 50

/** Opens a ledger with its writer, feed, checkpoints, verifications and queries. */
export function openLedger(options: {
  ledger: number
  databaseUrl: string
  pool: pg.Pool
  key: LogKey
  checkpointDir: string
  clock: Clock
  log: Logger
  /** The required durability of commits. The default is `local`. */
  durability?: Durability
  /**
   * The time, in milliseconds, at which the process passed its start check. Omitted if the check
   * was not run.
   */
  startCheckedAtMs?: number
  /** The end of the certificate of the service; omitted if the service has none. */
  certificateEnd?: Date | null
  /** The election in which this instance takes part. By default, this instance is always active. */
  election?: Pick<ElectionOptions, 'session' | 'token' | 'writerIdleMs'>
  /** Answers queries that decide nothing. By default, the primary answers all queries. */
  replica?: Replica | undefined
  /** Opens the connections of the writer. By default, each ledger has connections of its own. */
  openPair?: OpenPair
  /** Traces commands, batches and the feed. By default, nothing is traced. */
  tracing?: LedgerTracing
  /** Limit the memory of the writer, see `shareMemory`. */
  createCache?: NonNullable<WriterOptions['createCache']>
  createAssumptions?: NonNullable<WriterOptions['createAssumptions']>
  /** Ledgers that share connections must share the statement, see `createConnectionPairs`. */
  statement?: BatchStatement
  /** Adds a check to the store of the writer. Tests also disable a safety mechanism with it. */
  wrapStore?: (store: Store) => Store
  /** Tests pass replacements here to disable a safety mechanism. */
  model?: Model
  answered?: NewestAnswered
}): LedgerParts {
  const { ledger, pool, databaseUrl, durability = 'local' } = options
  const { checkpointDir, certificateEnd = null } = options
  const { model = ruleBook, wrapStore = (store: Store) => store } = options
  const { statement = createBatchStatement([...logTables, ...model.tables]) } = options
  const { tracing } = options
  const db = createDatabase(pool)
  const feed = createFeed({ pool, ledger })
  const checkpoints = createCheckpoints(options)
  const verifications = createVerifications(options)
  const firstAfterMs = FIRST_FILL_MS + ledger * NEXT_FILL_MS
  const pastTotals = createPastTotalsFiller({ pool, ledger, log: options.log, firstAfterMs })
  const isClockChecked = options.clock === systemClock
  const { answered = { event: null } } = options
  const openStore = () =>
    createPostgresStore({
      ledger,
      databaseUrl,
      openPair: options.openPair,
      statement,
      isClockChecked,
      durability,
      modelVersion: model.version,
      requireSigned: (client) => requireSigned(client, options),
    })
  const openWriter = (role: Partial<WriterOptions> = {}) =>
    createWriter({
      ...options,
      ...tracing?.writerOptions,
      ...role,
      store: wrapStore(openStore()),
      model,
      answered,
      onAppended: (size) => {
        feed.notifyAppended()
        checkpoints.notifyAppended()
        pastTotals.notifyAppended(size)
      },
    })
  const { election } = options
  const untraced =
    election === undefined
      ? openWriter()
      : createElectedWriter({
          ...options,
          ...election,
          ...tracing?.electionOptions,
          openWriter,
          onGrown: feed.notifyAppended,
        })
  const writer = tracing?.wrapWriter(untraced) ?? untraced
  async function submitOne(command: Command): Promise<Answer> {
    const [answer] = (await writer.submit([command], 'interactive')) ?? []
    if (answer === undefined) throw new Error('the writer did not accept the command')
    return answer
  }
  return {
    clock: options.clock,
    writer,
    feed: tracing?.wrapFeed(feed) ?? feed,
    rules: createRuleLog({ pool, ledger }),
    ask: (name, request, minSeq = null) => {
      const handler = queryHandlers[name] as (
        reading: Reading,
        request: QueryRequest<QueryName>,
      ) => Promise<unknown>
      // The cast is safe, because the routes parsed the request with the schema of `name`.
      const read = (server: Server) =>
        handler(
          {
            ...server,
            ledger,
            durability,
            checkpoints,
            verifications,
            checkpointDir,
            certificateEnd,
          },
          request as QueryRequest<QueryName>,
        )
      return options.replica?.read({ name, ledger, minSeq }, read) ?? read({ db, pool })
    },
    closeMonths: () => closeMonths({ ...options, tables: model.tables, submit: submitOne }),
    stop: async () => {
      feed.stop()
      await pastTotals.stop()
      await writer.stop()
      await verifications.stop()
      await checkpoints.stop()
    },
  }
}
