import type { Answer, Command, CommandType, DataOf, PlanTerms } from '@cairn/ledger-contracts'
import {
  createId,
  type QueryName,
  type QueryRequest,
  type QueryResponse,
  queries,
} from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import type { Clock } from '@cairn/service-kit/clock'
import pg from 'pg'
import { pino } from 'pino'
import type { NewestAnswered } from '../../src/log/answered.ts'
import type { Model } from '../../src/log/model.ts'
import type { BatchStatement } from '../../src/log/statement.ts'
import type { Store } from '../../src/log/store.ts'
import type { Replica } from '../../src/queries/replica.ts'
import { createPool } from '../../src/service/database/pool.ts'
import type { LedgerParts } from '../../src/service/http/routes.ts'
import { openLedger } from '../../src/service/ledger.ts'
import { createTestSigning } from './test-signing.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** A ledger with its own database and a clock that the test sets. */
export interface TestLedger {
  readonly database: TestDatabase
  /** The pool for reads. Its connections use the role of the service. */
  readonly pool: pg.Pool
  readonly signing: Awaited<ReturnType<typeof createTestSigning>>
  readonly parts: LedgerParts
  readonly clock: Clock & { set(ms: number): void }
  submit<Type extends CommandType>(
    type: Type,
    data: DataOf<Type>,
    envelope?: Partial<Pick<Command, 'actor' | 'key' | 'effectiveAt' | 'approval'>>,
  ): Promise<Answer>
  ask<Name extends QueryName>(name: Name, request: QueryRequest<Name>): Promise<QueryResponse<Name>>
  /** Runs SQL as the superuser. */
  runSql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

/**
 * The parts of a ledger with which a test creates its initial data. The ledger runs in this process
 * or behind HTTP.
 */
export interface SceneLedger extends Pick<TestLedger, 'submit'> {
  readonly clock: Clock
}

export async function startTestLedger(
  options: {
    statement?: BatchStatement
    wrapStore?: (store: Store) => Store
    /**
     * The newest event that the process has answered. By default, the process has answered no
     * event.
     */
    answered?: NewestAnswered
    model?: Model
    replica?: Replica
    database?: TestDatabase
    /** The signing key and the checkpoint files of a ledger that the test has opened before. */
    signing?: TestLedger['signing']
    ledger?: number
    /**
     * The time that the ledger uses until `clock.set` is called. The default is the system time.
     */
    now?: () => number
  } = {},
): Promise<TestLedger> {
  const database = options.database ?? (await createTestDatabase())
  const databaseUrl = database.urlFor('cairn_ledger')
  const pool = createPool({ url: databaseUrl, max: 4, name: 'test-read' })
  const superuser = new pg.Pool({ connectionString: database.url, max: 2 })
  superuser.on('error', () => {})
  const { now = Date.now } = options
  let offsetMs = 0
  const clock = {
    now: () => now() + offsetMs,
    set: (ms: number) => {
      offsetMs = ms - now()
    },
  }
  const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' })
  const { ledger = 1 } = options
  const signing = options.signing ?? (await createTestSigning(database.url))
  const parts = openLedger({ ...options, ...signing, ledger, databaseUrl, pool, clock, log })

  return {
    database,
    pool,
    parts,
    signing,
    clock,
    submit: async (type, data, envelope = {}) => {
      const rest = { actor: 'system:test', key: null, requestId: null, effectiveAt: null }
      // The cast is safe because the signature of `submit` accepts only the data of this type.
      const command = { type, data, ...rest, ...envelope } as unknown as Command
      const answering = parts.writer.submit([command], 'interactive')
      if (answering === null) throw new Error('the writer is full or stopping')
      const [answer] = await answering
      if (answer === undefined) throw new Error('no answer')
      return answer
    },
    ask: async (name, request) => {
      const parsed = queries[name].request.parse(request)
      return (await parts.ask(name, parsed)) as QueryResponse<typeof name>
    },
    runSql: async (text, values) => (await superuser.query(text, values)).rows,
    close: async () => {
      await parts.stop()
      await Promise.all([pool.end(), superuser.end()])
      if (options.database === undefined) await database.drop()
    },
  }
}

export const plan30Days: PlanTerms = {
  name: 'Starter Plan',
  duration: 30,
  unit: 'days',
  minimumMinor: 10_000n,
  maximumMinor: null,
  profitPpm: 50_000,
  referralBonusPpm: 10_000,
  returnPrincipal: true,
  isArchived: false,
}

/** Creates an active investor and funds the wallet `balance` of this investor. */
export async function createFundedInvestor(
  ledger: SceneLedger,
  { amountMinor, referrerId = null }: { amountMinor: bigint; referrerId?: string | null },
): Promise<string> {
  const investorId = createId(ledger.clock.now())
  await requireRecorded(ledger.submit('ActivateInvestor', { investorId, referrerId }))
  if (amountMinor > 0n) {
    await requireRecorded(
      ledger.submit('FundWallet', {
        transactionId: createId(ledger.clock.now()),
        investorId,
        wallet: 'balance',
        amountMinor,
        category: null,
        reason: null,
      }),
    )
  }
  return investorId
}

export async function requireRecorded(
  answering: Promise<Answer>,
): Promise<Answer & { outcome: 'recorded' }> {
  const answer = await answering
  if (answer.outcome !== 'recorded') throw new Error(`not recorded: ${JSON.stringify(answer)}`)
  return answer
}
