import type { Command, Id, LedgerClient, QueryResponse } from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import { runJobInSpan } from '@cairn/service-kit/tracing/traced-job'
import type { Tracer } from '@cairn/service-kit/tracing/tracer'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { runForEach } from '../run-for-each.ts'
import { payDueBonuses } from './bonus-payment.ts'
import { HEARTBEAT_SECONDS } from './boss.ts'
import { countFailures } from './count-failures.ts'

const QUEUE = 'accruals.accrue-due'
const EVERY_MINUTE = '* * * * *'
const CHUNK = 500
const CHUNKS_IN_FLIGHT = 3
const LEDGERS_AT_ONCE = 32
const POLL_SECONDS = 2

interface AccrualDeps {
  ledger: LedgerClient
  clock: Clock
  log: Logger
}

export async function startAccruals(
  deps: Omit<AccrualDeps, 'ledger'> & {
    ledgers: readonly LedgerClient[]
    boss: PgBoss
    tracer?: Tracer | null
  },
): Promise<void> {
  const { boss, ledgers, log, tracer = null } = deps
  await boss.createQueue(QUEUE, {
    // At most one job waits in the queue. Runs may overlap, so the job of a killed run does not
    // block the next job.
    policy: 'short',
    retryLimit: 10,
    retryDelay: 5,
    retryBackoff: true,
    expireInSeconds: 600,
    heartbeatSeconds: HEARTBEAT_SECONDS,
  })
  const accrueAll = () =>
    runForEach({ items: ledgers, atOnce: LEDGERS_AT_ONCE }, (ledger) =>
      accrueProfitAndPayBonuses({ ...deps, ledger }),
    )
  const run = countFailures({ queue: QUEUE, log }, () =>
    runJobInSpan(tracer, { queue: QUEUE }, accrueAll),
  )
  await boss.work(QUEUE, { pollingIntervalSeconds: POLL_SECONDS, batchSize: 1 }, run)
  await boss.schedule(QUEUE, EVERY_MINUTE)
}

/**
 * Accrues profit and pays bonuses. If one of the two tasks fails, the other task is still
 * completed. The error is then thrown, so that the job is retried.
 */
async function accrueProfitAndPayBonuses(deps: AccrualDeps): Promise<void> {
  const results = await Promise.allSettled([accrueDueProfit(deps), payDueBonuses(deps)])
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/**
 * Accrues all due profit. Runs can be repeated or overlap: each command names the unit to reach, so
 * a repeated command is refused. Up to `CHUNKS_IN_FLIGHT` chunks are sent in parallel, so that the
 * writer does not wait.
 */
export async function accrueDueProfit(deps: AccrualDeps): Promise<void> {
  const now = new Date(deps.clock.now()).toISOString()
  const inFlight: Promise<void>[] = []
  let after: Id | null = null
  do {
    const { due }: QueryResponse<'due'> = await deps.ledger.ask('due', {
      now,
      after,
      investorId: null,
      limit: CHUNK,
    })
    after = due.length < CHUNK ? null : (due.at(-1)?.investmentId ?? null)
    if (inFlight.length >= CHUNKS_IN_FLIGHT) await inFlight.shift()
    if (due.length === 0) break
    const accruing = accrueChunk(deps, due)
    // This promise is awaited only after further work. Without this handler, Node.js would report a
    // rejection before the await as unhandled.
    accruing.catch(() => {})
    inFlight.push(accruing)
  } while (after !== null)
  await Promise.all(inFlight)
}

async function accrueChunk(
  { ledger, log }: AccrualDeps,
  due: QueryResponse<'due'>['due'],
): Promise<void> {
  const answers = await ledger.submitBriefly(due.map(toCommand))
  const count = (outcome: string) => answers.filter((answer) => answer.outcome === outcome).length
  log.info({ due: due.length, recorded: count('recorded') }, 'profit accrued')
  if (count('failed') > 0) throw new Error(`${count('failed')} accruals failed and stay due`)
}

/**
 * The command has no idempotency key, because the ledger would store a refusal `NOT_DUE` and give
 * the same refusal to later runs.
 */
function toCommand({ investmentId, units }: { investmentId: Id; units: number }): Command {
  return {
    type: 'AccrueThrough',
    data: { investmentId, units },
    actor: 'system:accruals',
    key: null,
    requestId: null,
    effectiveAt: null,
  }
}
