import { findDecidingRun, NIGHTLY_VERIFICATION } from '@cairn/gateway-contracts'
import type { QueryResponse } from '@cairn/ledger-contracts'
import type { PgBoss } from 'pg-boss'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createJobId } from '../../platform/jobs/job-id.ts'
import { runForEachLedger } from '../../platform/ledger-client/run-for-each-ledger.ts'
import { getMailKey, MAIL_QUEUE, type MailPayload } from '../../platform/mail/mail-job.ts'
import type { LabelledGaugeOptions } from '../../platform/metrics/metrics.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The hour of the day at which the verification starts, in UTC. */
const START_HOUR = 2
const NIGHTS_PER_WHOLE_RUN = 7
/**
 * A size that is larger than any log. With this size, the run continues from the newest verified
 * state.
 */
const ANY_SIZE = 10n ** 15n

type Run = QueryResponse<'verifications'>['runs'][number]
type Ledger = Pick<Dependencies['ledger'], 'ask'>

/**
 * Starts a verification once a night. Queues a mail to all administrators about each run of the
 * last day that found a difference or ended without a result. Several workers can call this
 * function at any time: a night has only one run, and a run has only one mail.
 */
export async function verifyNightly({
  boss,
  ledger,
  nowMs,
}: {
  boss: Pick<PgBoss, 'insert'>
  ledger: Ledger
  nowMs: number
}): Promise<void> {
  const { runs } = await ledger.ask('verifications', {})
  await reportProblems(boss, runs, nowMs)
  const nightMs = findLastNight(nowMs)
  // A row of the future is not the run of this night. Otherwise one forged row would end all of them.
  const isDone = runs.some(
    ({ requestedBy, startedAt }) =>
      requestedBy === NIGHTLY_VERIFICATION &&
      Date.parse(startedAt) >= nightMs &&
      Date.parse(startedAt) <= nowMs + HOUR_MS,
  )
  if (isDone || !(await hasEventsBefore(ledger, nightMs))) return
  const since = isWholeNight(nightMs) ? 0n : ANY_SIZE
  await ledger.ask('startVerification', { by: NIGHTLY_VERIFICATION, since })
}

/** Calls `verifyNightly` for each ledger. */
export function verifyEachNightly({
  boss,
  ledgers,
  nowMs,
}: {
  boss: Pick<PgBoss, 'insert'>
  ledgers: readonly Ledger[]
  nowMs: number
}): Promise<void> {
  return runForEachLedger(ledgers, (ledger) => verifyNightly({ boss, ledger, nowMs }))
}

/**
 * Returns true in the one night of a week in which the whole log is verified. In the other six
 * nights, only the events since the last verification are verified.
 */
function isWholeNight(nightMs: number): boolean {
  return Math.floor(nightMs / DAY_MS) % NIGHTS_PER_WHOLE_RUN === 0
}

/** Returns the newest time at which a night began, in milliseconds since 1970. */
function findLastNight(nowMs: number): number {
  const offsetMs = START_HOUR * HOUR_MS
  return Math.floor((nowMs - offsetMs) / DAY_MS) * DAY_MS + offsetMs
}

/**
 * Returns true if the ledger has an event from before `timeMs`. A ledger that was installed after
 * `timeMs` is first verified in the next night.
 */
async function hasEventsBefore(ledger: Ledger, timeMs: number): Promise<boolean> {
  const { event } = await ledger.ask('event', { seq: 0n })
  return event !== null && Date.parse(event.recordedAt) < timeMs
}

async function reportProblems(
  boss: Pick<PgBoss, 'insert'>,
  runs: readonly Run[],
  nowMs: number,
): Promise<void> {
  const payloads = runs.filter((run) => needsMail(run, nowMs)).map(toPayload)
  if (payloads.length === 0) return
  // The id of a job is derived from the run, so a second job for one run is not inserted.
  const jobs = payloads.map((data) => ({ id: createJobId(getMailKey(data), 0n), data }))
  await boss.insert(MAIL_QUEUE, jobs)
}

function needsMail({ state, requestedBy, startedAt }: Run, nowMs: number): boolean {
  if (nowMs - Date.parse(startedAt) > DAY_MS) return false
  // If an administrator started a run and the run was interrupted, no mail is sent. The
  // administrator sees the interruption on the page.
  return state === 'differs' || (state === 'cut-off' && requestedBy === NIGHTLY_VERIFICATION)
}

function toPayload({ id, startedAt, firstBadSeq, problems }: Run): MailPayload {
  const first = problems[0] ?? 'the verification ended without a result'
  const event = firstBadSeq === null ? null : String(firstBadSeq)
  return { source: 'verification', id, startedAt, count: problems.length, first, event }
}

/** Creates the gauges of the newest complete verification of each ledger of the site. */
export function createVerificationGauges(
  ledgers: { list(): Promise<readonly number[]>; getClient(ledger: number): Ledger },
  now: () => number,
): readonly LabelledGaugeOptions[] {
  let known: readonly number[] = []
  const readEach = async (
    toValue: (runs: readonly Run[]) => number | undefined,
  ): Promise<ReadonlyMap<string, number>> => {
    known = await ledgers.list().catch(() => known)
    const values = known.map(async (number): Promise<[string, number]> => {
      const answering = ledgers.getClient(number).ask('verifications', {})
      const runs = await answering.then((answer) => answer.runs).catch(() => [])
      return [String(number), toValue(runs) ?? -1]
    })
    return new Map(await Promise.all(values))
  }
  return [
    {
      name: 'cairn_verification_age_seconds',
      help: 'Seconds since the end of the newest verification of the ledger; -1 before the first verification and if unknown',
      label: 'ledger',
      read: () =>
        readEach((runs) => {
          const finishedAt = runs.find((run) => run.finishedAt !== null)?.finishedAt ?? null
          if (finishedAt === null) return undefined
          return Math.round((now() - Date.parse(finishedAt)) / 1_000)
        }),
    },
    {
      name: 'cairn_verification_problems',
      help: 'Number of problems in the ledger that a verification found and no later one has settled; -1 before the first verification and if unknown',
      label: 'ledger',
      read: () => readEach((runs) => findDecidingRun(runs)?.problems.length),
    },
  ]
}
