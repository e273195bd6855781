import { type Answer, type Command, createId, type Lane } from '@cairn/ledger-contracts'
import { systemClock } from '@cairn/service-kit/clock'
import type pg from 'pg'
import { pino } from 'pino'
import { model as ruleBook } from '../src/domain/model.ts'
import type { Model } from '../src/log/model.ts'
import { createPostgresStore } from '../src/log/postgres-store.ts'
import { createBatchStatement } from '../src/log/statement.ts'
import { logTables } from '../src/log/tables.ts'
import { createWriter } from '../src/log/writer.ts'
import { type Verification, verifyLog } from '../src/proofs/verify.ts'
import { createPool } from '../src/service/database/pool.ts'
import { createActivation, createFunding } from './commands.ts'

export type Send = (commands: readonly Command[], lane: Lane) => Promise<readonly Answer[]>

/** A writer in this process with its own database. */
export interface Books {
  send: Send
  /** Like `send`, but all commands are recorded together. */
  sendLinked: Send
  close(): Promise<void>
}

export function openBooks(ledgerUrl: string, model: Model = ruleBook): Books {
  const statement = createBatchStatement([...logTables, ...model.tables])
  const writer = createWriter({
    ledger: 1,
    model,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    store: createPostgresStore({
      ledger: 1,
      databaseUrl: ledgerUrl,
      statement,
      isClockChecked: true,
      modelVersion: 1,
    }),
  })
  return {
    send: async (commands, lane) => requireAccepted(await writer.submit(commands, lane)),
    sendLinked: async (commands, lane) =>
      requireAccepted(await writer.submitLinked(commands, lane)),
    close: () => writer.stop(),
  }
}

function requireAccepted(answers: readonly Answer[] | null): readonly Answer[] {
  if (answers === null) throw new Error('the writer accepted no command: its queue is full')
  requireRecordedAnswers(answers)
  return answers
}

export function requireRecordedAnswers(answers: readonly Answer[]): void {
  const wrong = answers.find(({ outcome }) => outcome !== 'recorded')
  if (wrong !== undefined) throw new Error(`not recorded: ${JSON.stringify(wrong)}`)
}

/**
 * Verifies the log and throws if there are problems. `isExpected` returns true for a problem that
 * the minimal model of the benchmark always causes.
 */
export async function checkBooks(
  ledgerUrl: string,
  options: { isReplaying?: boolean; isExpected?: (problem: string) => boolean } = {},
): Promise<Verification> {
  const { isReplaying = true, isExpected = () => false } = options
  const pool = createPool({ url: ledgerUrl, max: 2, name: 'bench-check' })
  try {
    const verification = await verifyLog(pool, { ledger: 1, isReplaying })
    const wrong = verification.problems.filter((problem) => !isExpected(problem))
    if (wrong.length > 0) throw new Error(`the verification found problems:${wrong.join('; ')}`)
    return verification
  } finally {
    await pool.end()
  }
}

export async function runWithPool<T>(url: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = createPool({ url, max: 2, name: 'bench' })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/**
 * Returns the bytes of all tables of a schema and their indexes, divided by the number of rows of
 * one table.
 */
export async function measureBytesPerRow(
  url: string,
  { schema, table }: { schema: string; table: string },
): Promise<number> {
  return runWithPool(url, async (pool) => {
    const { rows } = await pool.query<{ bytes: number }>(
      `select (select sum(pg_total_relation_size(oid)) from pg_class
         where relkind = 'r' and relnamespace = '${schema}'::regnamespace)::float8
         / greatest(1, (select count(*) from ${schema}.${table})) as bytes`,
    )
    return rows[0]?.bytes ?? 0
  })
}

/** Activates investors and funds each of them with ten million dollars. */
export async function fundInvestors(send: Send, count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => createId(Date.now()))
  await sendAll(send, ids.map(createActivation))
  await sendAll(
    send,
    ids.map((id) => createFunding(id, 1_000_000_000n)),
  )
  return ids
}

/**
 * Submits the commands in the bulk lane, in chunks. Several chunks are in progress at the same
 * time.
 */
export async function sendAll(send: Send, commands: readonly Command[]): Promise<void> {
  await sendGeneratedCommands(send, commands.length, (index) => {
    const made = commands[index]
    if (made === undefined) throw new RangeError(`no command ${index}`)
    return made
  })
}

const CHUNK = 500
const CHUNKS_AHEAD = 4

export async function sendGeneratedCommands(
  send: Send,
  count: number,
  make: (index: number) => Command,
): Promise<void> {
  let next = 0
  async function sendChunks(): Promise<void> {
    while (next < count) {
      const first = next
      next = Math.min(first + CHUNK, count)
      const chunk = Array.from({ length: next - first }, (_, index) => make(first + index))
      await send(chunk, 'bulk')
    }
  }
  await Promise.all(Array.from({ length: CHUNKS_AHEAD }, sendChunks))
}

export function pickRandomItem<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)]
  if (item === undefined) throw new RangeError('the list to pick from is empty')
  return item
}
