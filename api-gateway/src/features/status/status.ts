import { getStatus, type PartState, type ResponseOf } from '@cairn/gateway-contracts'
import type { WorkerReport } from '@cairn/ledger-contracts'
import { createCachedValue } from '../../platform/cache.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { declareRoute, type Route } from '../../platform/http/registry.ts'
import { listLedgerClients } from '../../platform/ledger-client/requested-ledger.ts'

/** Lifetime of the cached state, in milliseconds. */
const FRESH_MS = 10_000
/** Jobs are reported as delayed if the oldest job has waited longer than this number of seconds. */
const LATE_SECONDS = 600
const MAIL = 'mail'

type Checked = Pick<ResponseOf<typeof getStatus>, 'checkedAt' | 'parts'>

/**
 * Creates the public route for the state of the site. It shows no history and no details of the
 * machines.
 */
export function createStatusRoutes(deps: Dependencies): readonly Route[] {
  const checked = createCachedValue(FRESH_MS, () => checkParts(deps))
  const isOpen = { isOpenInMaintenance: true, isNoUse: true } as const
  const options = { rate: 'read', owner: 'any', audit: null, ...isOpen } as const
  return [
    declareRoute(getStatus, options, async () => {
      const [{ general }, now] = await Promise.all([deps.settings.read(), checked.read()])
      return { ...now, isMaintenance: general.maintenanceMode }
    }),
  ]
}

async function checkParts({ ledgers, workers, clock }: Dependencies): Promise<Checked> {
  const checkedAt = new Date(clock.now()).toISOString()
  const [areLedgersUp, reports] = await Promise.all([
    areLedgersAvailable({ ledgers }),
    Promise.all(workers.map((worker) => worker.report())),
  ])
  return {
    checkedAt,
    parts: [
      // The state of the site is `working`, because the site answers this request.
      { part: 'site', state: 'working' },
      { part: 'ledger', state: areLedgersUp ? 'working' : 'away' },
      { part: 'workers', state: readWorkersState(reports) },
      { part: 'mail', state: readMailState(reports) },
    ],
  }
}

/** Returns true if each ledger of the site answers a query before the deadline of the query. */
async function areLedgersAvailable(deps: Pick<Dependencies, 'ledgers'>): Promise<boolean> {
  try {
    const listed = await listLedgerClients(deps)
    await Promise.all(listed.map(({ client }) => client.ask('head', { size: null })))
    return true
  } catch {
    return false
  }
}

type Reports = readonly (WorkerReport | null)[]

/** Returns the state of all queues except mail, which has a separate state. */
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
