import { getStatus, type PartState, type ResponseOf } from '@cairn/gateway-contracts'
import type { LedgerClient, WorkerReport } from '@cairn/ledger-contracts'
import { cacheFor } from '../../platform/cache.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { type Route, route } from '../../platform/http/registry.ts'

/** Lifetime of the cached state in milliseconds, for any number of readers. */
const FRESH_MS = 10_000
/** Jobs that have waited longer than this count as delayed. */
const LATE_SECONDS = 600
const MAIL = 'mail'

type Checked = Pick<ResponseOf<typeof getStatus>, 'checkedAt' | 'parts'>

/** Public: the current state only, without history and without details of the machines. */
export function createStatusRoutes(deps: Dependencies): readonly Route[] {
  const checked = cacheFor(FRESH_MS, () => checkParts(deps))
  const isOpen = { isOpenInMaintenance: true, isNoUse: true } as const
  const options = { rate: 'read', owner: 'any', audit: null, ...isOpen } as const
  return [
    route(getStatus, options, async () => {
      const [{ general }, now] = await Promise.all([deps.settings.read(), checked.read()])
      return { ...now, isMaintenance: general.maintenanceMode }
    }),
  ]
}

async function checkParts({ ledger, workers, clock }: Dependencies): Promise<Checked> {
  const checkedAt = new Date(clock.now()).toISOString()
  const [isLedgerUp, reports] = await Promise.all([
    isLedgerAvailable(ledger),
    Promise.all(workers.map((worker) => worker.report())),
  ])
  return {
    checkedAt,
    parts: [
      // The site answers this request, so it works.
      { part: 'site', state: 'working' },
      { part: 'ledger', state: isLedgerUp ? 'working' : 'away' },
      { part: 'workers', state: readWorkersState(reports) },
      { part: 'mail', state: readMailState(reports) },
    ],
  }
}

/** Bounded by the deadline of each ledger query. */
function isLedgerAvailable(ledger: LedgerClient): Promise<boolean> {
  return ledger.ask('head', { size: null }).then(
    () => true,
    () => false,
  )
}

type Reports = readonly (WorkerReport | null)[]

/** All queues except mail, which has its own state. */
export function readWorkersState(reports: Reports): PartState {
  if (reports.length === 0) return 'unknown'
  if (reports.includes(null)) return 'away'
  const waits = reports.flatMap((report) => [
    ...(report?.lags ?? [])
      .filter(({ name, unit }) => unit === 'seconds' && name !== MAIL)
      .map(({ value }) => value),
    ...(report?.queues ?? [])
      .filter(({ name }) => name !== MAIL)
      .map(({ oldestWaitingSeconds }) => oldestWaitingSeconds ?? 0),
  ])
  return waits.some((seconds) => seconds > LATE_SECONDS) ? 'delayed' : 'working'
}

export function readMailState(reports: Reports): PartState {
  const lag = reports.flatMap((report) => report?.lags ?? []).find(({ name }) => name === MAIL)
  if (lag === undefined) return 'unknown'
  return lag.value > LATE_SECONDS ? 'delayed' : 'working'
}
