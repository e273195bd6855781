import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { computeCreditedThrough, createId, type LedgerClient } from '@cairn/ledger-contracts'
import { createTestDatabase } from '@cairn/local/test-database'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { createRemoteLedger } from './remote-ledger.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'
import { createFundedInvestor, HOUR_MS, plan30Days, requireRecorded } from './test-ledger.ts'
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts'

const QUEUE = 'accruals.accrue-due'

interface JobTimes {
  id: string
  state: string
  retryCount: number
  startedAt: Date | null
  completedAt: Date | null
}

/** A ledger and its workers in separate processes, with hourly investments and a common clock. */
export interface AccrualScene {
  service: ServiceProcess
  investments: readonly string[]
  startWorker(ledgerUrl?: string): Promise<WorkerProcess>
  /** Starts a worker whose clock does not advance. */
  startStoppedWorker(): Promise<WorkerProcess>
  /** Advances the clock by one hour, so that one more unit ends. */
  advanceHour(): Promise<void>
  /** Sets the clock of all processes. */
  setClock(atMs: number): Promise<void>
  /** Opens more investments, which start at the current time of the clock. */
  open(count: number): Promise<readonly string[]>
  /**
   * Queues a job of the worker. With `expireInSeconds`, the job expires after this time and is then
   * retried without a delay.
   */
  requestRun(options?: { expireInSeconds: number }): Promise<void>
  /** Runs the maintenance of pg-boss. The maintenance gives expired jobs to another worker. */
  supervise(): Promise<void>
  listJobs(): Promise<readonly JobTimes[]>
  /** Returns the number of investments that have fewer than `units` credited units. */
  countInvestmentsBehind(units: number): Promise<number>
  /** Returns the credits of each investment, one per event. */
  readCredits(): Promise<ReadonlyMap<string, readonly { units: number; profitMinor: bigint }[]>>
  close(): Promise<void>
}

export const PRINCIPAL_MINOR = 33_333n
/** With this rate, the profit of one hour is not a whole number of cents. */
const PROFIT_PPM = 70_000
const DURATION = 48
const PROMISED_MINOR = 2_333n

export async function startAccrualScene(options: {
  investments: number
  startsAtMs?: number
}): Promise<AccrualScene> {
  const database = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'cairn-accruals-'))
  const clockFile = join(folder, 'clock')
  const formatLedgerUrl = ({ port }: ServiceProcess) => `http://127.0.0.1:${port}`
  let aheadMs = options.startsAtMs === undefined ? 0 : options.startsAtMs - Date.now()
  await writeFile(clockFile, String(aheadMs))
  const service = await startServiceProcess({
    databaseUrl: database.urlFor('cairn_ledger'),
    environment: { CAIRN_CLOCK_FILE: clockFile },
  })
  const databaseUrl = database.urlFor('cairn_ledger_worker')
  const superuser = new pg.Pool({ connectionString: database.url, max: 2 })
  superuser.on('error', () => {})
  const investments = await openInvestments(service.client, options.investments)
  let boss: PgBoss | null = null

  return {
    service,
    investments,
    startWorker: (ledgerUrl = formatLedgerUrl(service)) =>
      startWorkerProcess({ databaseUrl, ledgerUrl, clockFile }),
    startStoppedWorker: async () => {
      const stoppedFile = join(folder, 'stopped-clock')
      await writeFile(stoppedFile, String(aheadMs))
      const ledgerUrl = formatLedgerUrl(service)
      return startWorkerProcess({ databaseUrl, ledgerUrl, clockFile: stoppedFile })
    },
    advanceHour: async () => {
      aheadMs += HOUR_MS
      await writeFile(clockFile, String(aheadMs))
    },
    setClock: async (atMs) => {
      aheadMs = atMs - Date.now()
      await writeFile(clockFile, String(aheadMs))
    },
    open: (count) => openInvestments(service.client, count),
    requestRun: async (options) => {
      boss ??= await openBoss(databaseUrl)
      const own = options === undefined ? {} : { ...options, retryDelay: 0, retryBackoff: false }
      await boss.send(QUEUE, {}, own)
    },
    supervise: async () => {
      boss ??= await openBoss(databaseUrl)
      await boss.supervise(QUEUE)
    },
    listJobs: async () => {
      const { rows } = await superuser.query<JobTimes>(
        `select id, state::text, retry_count as "retryCount",
           started_on as "startedAt", completed_on as "completedAt"
         from ledger_jobs.job where name = $1 order by started_on`,
        [QUEUE],
      )
      return rows
    },
    countInvestmentsBehind: async (units) => {
      const { rows } = await superuser.query<{ count: number }>(
        `select count(*)::int as count from ledger.investment where units_done < $1`,
        [units],
      )
      return rows[0]?.count ?? 0
    },
    readCredits: () => readCredits(service.client),
    close: async () => {
      await boss?.stop({ graceful: false })
      await service.end('SIGTERM')
      await superuser.end()
      await database.drop()
    },
  }
}

/** Returns the profit after `units` hours if each hour was credited exactly once. */
export function computeExpectedProfit(units: number): bigint {
  return computeCreditedThrough({ promisedMinor: PROMISED_MINOR, units, duration: DURATION })
}

async function openInvestments(client: LedgerClient, count: number): Promise<readonly string[]> {
  const ledger = createRemoteLedger(client)
  const planId = createId(Date.now())
  const hourly = { unit: 'hours', duration: DURATION, profitPpm: PROFIT_PPM } as const
  const terms = { ...plan30Days, ...hourly, referralBonusPpm: 0 }
  await requireRecorded(ledger.submit('DefinePlan', { planId, terms }))
  const amountMinor = PRINCIPAL_MINOR * BigInt(count)
  const investorId = await createFundedInvestor(ledger, { amountMinor })
  const ids = Array.from({ length: count }, () => createId(Date.now()))
  for (const investmentId of ids) {
    const opening = { investmentId, investorId, planId, planVersion: null }
    await requireRecorded(
      ledger.submit('OpenInvestment', { ...opening, amountMinor: PRINCIPAL_MINOR }),
    )
  }
  return ids
}

async function openBoss(connectionString: string): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString,
    schema: 'ledger_jobs',
    createSchema: false,
    supervise: false,
    monitorIntervalSeconds: 1,
    schedule: false,
    max: 1,
  })
  boss.on('error', () => {})
  await boss.start()
  return boss
}

async function readCredits(client: LedgerClient) {
  const credits = new Map<string, { units: number; profitMinor: bigint }[]>()
  for (let after = -1n, isMore = true; isMore; ) {
    const { events } = await client.events({ after, waitSeconds: 0, limit: 1_000 })
    for (const { type, data } of events) {
      if (type !== 'ProfitAccrued' && type !== 'InvestmentMatured') continue
      const { investmentId, units, profitMinor } = data
      const known = credits.get(String(investmentId)) ?? []
      known.push({ units: Number(units), profitMinor: BigInt(String(profitMinor)) })
      credits.set(String(investmentId), known)
    }
    after = events.at(-1)?.seq ?? after
    isMore = events.length > 0
  }
  return credits
}
