import type { QueryName, QueryRequest } from '@cairn/ledger-contracts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { queryHandlers, type Reading } from './answers.ts'
import type { Clock } from './clock.ts'
import type { LedgerParts } from './http/routes.ts'
import { createFeed } from './log/feed.ts'
import type { BatchStatement } from './log/statement.ts'
import { createWriter } from './log/writer.ts'
import { model } from './model.ts'
import { createCheckpoints } from './proofs/checkpoints.ts'
import type { SigningKey } from './proofs/signing-key.ts'
import { createDatabase } from './schema.ts'

/** One ledger put together: its writer, its feed, its checkpoints and its queries. */
export function openLedger(options: {
  ledger: number
  databaseUrl: string
  pool: pg.Pool
  key: SigningKey
  checkpointFile: string
  clock: Clock
  log: Logger
  statement?: BatchStatement
}): LedgerParts {
  const { ledger, pool } = options
  const db = createDatabase(pool)
  const feed = createFeed({ pool, ledger })
  const checkpoints = createCheckpoints({ ...options, file: options.checkpointFile })
  const writer = createWriter({
    ...options,
    model,
    onAppended: () => {
      feed.appended()
      checkpoints.appended()
    },
  })
  return {
    writer,
    feed,
    ask: (name, request) => {
      const handler = queryHandlers[name] as (
        reading: Reading,
        request: QueryRequest<QueryName>,
      ) => Promise<unknown>
      // The routes parsed the request with the schema of this very name.
      return handler({ db, pool, ledger, checkpoints }, request as QueryRequest<QueryName>)
    },
    stop: async () => {
      feed.stop()
      await writer.stop()
      await checkpoints.stop()
    },
  }
}
