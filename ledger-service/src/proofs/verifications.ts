import { Worker } from 'node:worker_threads'
import { createId, type QueryRequest, type QueryResponse } from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { VerificationMessage, VerificationTask } from './verification-thread.ts'

const SHOWN_MAX = 100

type Found = Extract<VerificationMessage, { kind: 'done' }>['found']
type Run = QueryResponse<'verifications'>['runs'][number]

export interface Verifications {
  /** Starts a run, or returns the run in progress. */
  start(request: QueryRequest<'startVerification'>): Promise<QueryResponse<'startVerification'>>
  list(): Promise<QueryResponse<'verifications'>>
  stop(): Promise<void>
}

interface Options {
  ledger: number
  pool: pg.Pool
  databaseUrl: string
  /** The folder of the checkpoint files and of the verified state. */
  checkpointDir: string
  clock: Clock
  log: Logger
  /**
   * The time, in milliseconds, at which the process passed its start check. Omitted if the check
   * was not run.
   */
  startCheckedAtMs?: number
}

interface Current {
  readonly id: string
  readonly worker: Worker
  done: bigint
  of: bigint
  /** Resolves when the result is stored. Null until the verification has a result. */
  recorded: Promise<void> | null
  /** Resolves when the thread has ended and the result is stored. */
  readonly ended: Promise<void>
}

/** Runs verifications in a worker thread and stores their results. */
export function createVerifications(options: Options): Verifications {
  const { ledger, pool, clock, log, startCheckedAtMs } = options
  let current: Current | null = null
  /**
   * The runs with a result that this process made. A superuser of the database can change or remove
   * the stored results, which are in the database that was verified.
   */
  const known = new Map<string, Run>()

  async function start(request: QueryRequest<'startVerification'>): Promise<{ id: string }> {
    while (current !== null) {
      if (current.recorded === null) return { id: current.id }
      await current.ended
    }
    const begun = startRun(request)
    await begun.inserted
    return { id: begun.id }
  }

  function startRun({ by, since }: QueryRequest<'startVerification'>) {
    const startedAtMs = clock.now()
    const id = createId(startedAtMs)
    const { databaseUrl, checkpointDir: stateFolder } = options
    const workerData: VerificationTask = { databaseUrl, ledger, since, stateFolder }
    const worker = new Worker(new URL('./verification-thread.ts', import.meta.url), { workerData })
    const exited = new Promise((exit) => worker.once('exit', exit))
    const ended = exited
      .then(() => run.recorded)
      .then(() => {
        current = null
      })
    const run: Current = { id, worker, done: 0n, of: 0n, recorded: null, ended }
    const inserted = insertRun(options, { id, by, since, startedAtMs })

    function storeResult(found: Found): void {
      if (run.recorded !== null) return
      const started = { id, requestedBy: by, startedAt: new Date(startedAtMs).toISOString() }
      const finishedAt = new Date(clock.now()).toISOString()
      const result = toResult(started, { ...found, finishedAt })
      if (result.state === 'differs') log.error(result, 'the verification found a difference')
      run.recorded = inserted
        .then(() => finishRun(options, result))
        .catch((error) =>
          log.error({ err: error }, 'the result of a verification could not be stored'),
        )
        .then(() => void known.set(id, result))
    }
    worker.on('message', (message: VerificationMessage) => {
      if (message.kind === 'done') storeResult(message.found)
      else Object.assign(run, { done: message.done, of: message.of })
    })
    worker.on('error', (error: Error) => {
      log.error({ err: error }, 'the verification could not be run')
      const problems = [`could not be run: ${error.message}`]
      storeResult({
        from: 0n,
        events: 0n,
        postings: 0n,
        checkpoints: 0,
        firstBadSeq: null,
        problems,
      })
    })
    current = run
    return { id, inserted }
  }

  return {
    start,
    list: async () => {
      const { rows } = await pool.query<Row>(
        `select * from ledger.verification where ledger_id = $1 order by id desc limit $2`,
        [ledger, SHOWN_MAX],
      )
      // A run that ended during the query is known now.
      const stored = rows.map((row) => toRun(row, current))
      const others = stored.filter(({ id }) => !known.has(id))
      const runs = [...known.values(), ...others]
        .toSorted((one, other) => (one.id < other.id ? 1 : -1))
        .slice(0, SHOWN_MAX)
      const startCheckedAt =
        startCheckedAtMs === undefined ? null : new Date(startCheckedAtMs).toISOString()
      return { runs, startCheckedAt }
    },
    stop: async () => {
      await current?.worker.terminate()
      await current?.ended
    },
  }
}

async function insertRun(
  { pool, ledger }: Options,
  { id, by, since, startedAtMs }: { id: string; by: string; since: bigint; startedAtMs: number },
): Promise<void> {
  await pool.query(
    `insert into ledger.verification (ledger_id, id, requested_by, started_at, since)
     values ($1, $2, $3, $4, $5)`,
    [ledger, id, by, new Date(startedAtMs).toISOString(), since],
  )
}

function toResult(
  started: Pick<Run, 'id' | 'requestedBy' | 'startedAt'>,
  { from, events, ...found }: Found & { finishedAt: string },
): Run {
  const state = found.problems.length === 0 ? 'agrees' : 'differs'
  return {
    ...started,
    ...found,
    problems: [...found.problems],
    state,
    since: from,
    done: events,
    of: events,
  }
}

async function finishRun({ pool, ledger }: Options, run: Run): Promise<void> {
  const { id, finishedAt, since, done, postings, checkpoints, firstBadSeq, problems } = run
  await pool.query(
    `update ledger.verification set finished_at = $3, events = $4, postings = $5, checkpoints = $6,
       first_bad_seq = $7, problems = $8, since = $9 where ledger_id = $1 and id = $2`,
    [
      ledger,
      id,
      finishedAt,
      done,
      postings,
      checkpoints,
      firstBadSeq,
      JSON.stringify(problems),
      since,
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
    // A run was interrupted if its row has no end time and the run is not in progress in this
    // process.
    state: getState(row, isRunning),
    since: row.since,
    done: isRunning ? (current?.done ?? 0n) : (row.events ?? 0n),
    of: isRunning ? (current?.of ?? 0n) : (row.events ?? 0n),
    postings: row.postings ?? 0n,
    checkpoints: row.checkpoints ?? 0,
    firstBadSeq: row.first_bad_seq,
    problems: row.problems ?? [],
  }
}

function getState({ finished_at, problems }: Row, isRunning: boolean): Run['state'] {
  if (isRunning) return 'running'
  if (finished_at === null) return 'cut-off'
  return (problems ?? []).length === 0 ? 'agrees' : 'differs'
}
