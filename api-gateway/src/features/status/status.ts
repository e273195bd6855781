import { getStatus, type PartState, type ResponseOf } from '@cairn/gateway-contracts'
import type { LedgerClient, WorkerReport } from '@cairn/ledger-contracts'
import { keptFor } from '../../platform/cached.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { type Route, route } from '../../platform/http/registry.ts'

/** However many look, the parts are asked this often. */
const FRESH_MS = 10_000
/** Work that has waited longer than this is late for whoever waits for it. */
const LATE_SECONDS = 600
const MAIL = 'mail'

type Checked = Pick<ResponseOf<typeof getStatus>, 'checkedAt' | 'parts'>

/** For anybody, with what is measured here and now: no history, and nothing of the machines. */
export function statusRoutes(deps: Dependencies): readonly Route[] {
  const checked = keptFor(FRESH_MS, () => checkParts(deps))
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
    doesAnswer(ledger),
    Promise.all(workers.map((worker) => worker.report())),
  ])
  return {
    checkedAt,
    parts: [
      // Whoever reads this was answered by it.
      { part: 'site', state: 'working' },
      { part: 'ledger', state: isLedgerUp ? 'working' : 'away' },
      { part: 'workers', state: workersState(reports) },
      { part: 'mail', state: mailState(reports) },
    ],
  }
}

/** Within the deadline of every question to the ledger. */
function doesAnswer(ledger: LedgerClient): Promise<boolean> {
  return ledger.ask('head', { size: null }).then(
    () => true,
    () => false,
  )
}

type Reports = readonly (WorkerReport | null)[]

/** All but the mail, which people miss sooner and is said by itself. */
export function workersState(reports: Reports): PartState {
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

export function mailState(reports: Reports): PartState {
  const lag = reports.flatMap((report) => report?.lags ?? []).find(({ name }) => name === MAIL)
  if (lag === undefined) return 'unknown'
  return lag.value > LATE_SECONDS ? 'delayed' : 'working'
}
