import { Worker } from 'node:worker_threads'
import { newId, type QueryRequest, type QueryResponse } from '@cairn/ledger-contracts'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { VerificationMessage, VerificationTask } from './verification-thread.ts'

const SHOWN_MAX = 100

type Run = QueryResponse<'verifications'>['runs'][number]

export interface Verifications {
  /** Begins a run, or answers the one that is under way. */
  start(request: QueryRequest<'startVerification'>): Promise<QueryResponse<'startVerification'>>
  list(): Promise<QueryResponse<'verifications'>>
  stop(): Promise<void>
}

interface Options {
  ledger: number
  pool: pg.Pool
  databaseUrl: string
  clock: Clock
  log: Logger
}

/** Runs of `verify` on a thread of their own, on record with what they found. */
export function createVerifications(options: Options): Verifications {
  const { ledger, pool, clock, log } = options
  let current: { id: string; worker: Worker; done: bigint; of: bigint } | null = null

  async function start({ by, since }: QueryRequest<'startVerification'>): Promise<{ id: string }> {
    if (current !== null) return { id: current.id }
    const id = newId(clock.now())
    const { databaseUrl } = options
    const workerData: VerificationTask = { databaseUrl, ledger, since }
    const worker = new Worker(new URL('./verification-thread.ts', import.meta.url), { workerData })
    current = { id, worker, done: 0n, of: 0n }
    worker.on('message', (message: VerificationMessage) => {
      if (current?.id !== id) return
      if (message.kind === 'progress')
        Object.assign(current, { done: message.done, of: message.of })
      else finish(options, id, message.found).catch((error) => log.error({ err: error }, 'verify'))
    })
    worker.on('error', (error: Error) => {
      log.error({ err: error }, 'verification could not be run')
      const problems = [`could not be run: ${error.message}`]
      const found = { events: 0n, postings: 0n, checkpoints: 0, firstBadSeq: null, problems }
      finish(options, id, found).catch((cause) => log.error({ err: cause }, 'verify'))
    })
    worker.on('exit', () => {
      if (current?.id === id) current = null
    })
    await pool.query(
      `insert into ledger.verification (ledger_id, id, requested_by, started_at, since)
       values ($1, $2, $3, $4, $5)`,
      [ledger, id, by, new Date(clock.now()).toISOString(), since],
    )
    return { id }
  }

  return {
    start,
    list: async () => {
      const { rows } = await pool.query<Row>(
        `select * from ledger.verification where ledger_id = $1 order by id desc limit $2`,
        [ledger, SHOWN_MAX],
      )
      return { runs: rows.map((row) => toRun(row, current)) }
    },
    stop: async () => {
      await current?.worker.terminate()
    },
  }
}

async function finish(
  { pool, ledger, clock }: Options,
  id: string,
  found: Extract<VerificationMessage, { kind: 'done' }>['found'],
): Promise<void> {
  const { events, postings, checkpoints, firstBadSeq, problems } = found
  await pool.query(
    `update ledger.verification set finished_at = $3, events = $4, postings = $5, checkpoints = $6,
       first_bad_seq = $7, problems = $8 where ledger_id = $1 and id = $2`,
    [
      ledger,
      id,
      new Date(clock.now()).toISOString(),
      events,
      postings,
      checkpoints,
      firstBadSeq,
      JSON.stringify(problems),
    ],
  )
}

interface Row {
  id: string
  requested_by: string
  started_at: number
  finished_at: number | null
  since: bigint
  events: bigint | null
  postings: bigint | null
  checkpoints: number | null
  first_bad_seq: bigint | null
  problems: string[] | null
}

function toRun(row: Row, current: { id: string; done: bigint; of: bigint } | null): Run {
  const isRunning = row.id === current?.id && row.finished_at === null
  return {
    id: row.id,
    requestedBy: row.requested_by,
    startedAt: new Date(row.started_at).toISOString(),
    finishedAt: row.finished_at === null ? null : new Date(row.finished_at).toISOString(),
    // One without an end that nobody runs was cut off with its process.
    state: stateOf(row, isRunning),
    since: row.since,
    done: isRunning ? (current?.done ?? 0n) : (row.events ?? 0n),
    of: isRunning ? (current?.of ?? 0n) : (row.events ?? 0n),
    postings: row.postings ?? 0n,
    checkpoints: row.checkpoints ?? 0,
    firstBadSeq: row.first_bad_seq,
    problems: row.problems ?? [],
  }
}

function stateOf({ finished_at, problems }: Row, isRunning: boolean): Run['state'] {
  if (isRunning) return 'running'
  if (finished_at === null) return 'cut-off'
  return (problems ?? []).length === 0 ? 'agrees' : 'differs'
}
