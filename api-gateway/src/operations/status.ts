import { getStatus, type PartState, type ResponseOf } from '@cairn/gateway-contracts'
import type { LedgerClient, WorkerReport } from '@cairn/ledger-contracts'
import type { Dependencies } from '../dependencies.ts'
import { type Route, route } from '../http/registry.ts'

/** However many look, the parts are asked this often. */
const FRESH_MS = 10_000
const LEDGER_TIMEOUT_MS = 3_000
/** Work that has waited longer than this is late for whoever waits for it. */
const LATE_SECONDS = 600
const MAIL = 'mail'

type Checked = Pick<ResponseOf<typeof getStatus>, 'checkedAt' | 'parts'>

/** For anybody, with what is measured here and now: no history, and nothing of the machines. */
export function statusRoutes(deps: Dependencies): readonly Route[] {
  let last: { at: number; checked: Promise<Checked> } | null = null
  const check = (): Promise<Checked> => {
    const now = performance.now()
    if (last === null || now - last.at >= FRESH_MS) last = { at: now, checked: checkParts(deps) }
    return last.checked
  }
  const isOpen = { isOpenInMaintenance: true, isNoUse: true } as const
  const options = { rate: 'read', owner: 'any', audit: null, ...isOpen } as const
  return [
    route(getStatus, options, async () => {
      const [{ general }, checked] = await Promise.all([deps.settings.read(), check()])
      return { ...checked, isMaintenance: general.maintenanceMode }
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

async function doesAnswer(ledger: LedgerClient): Promise<boolean> {
  const { promise: tooLate, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), LEDGER_TIMEOUT_MS)
  const answered = ledger.ask('head', { size: null }).then(
    () => true,
    () => false,
  )
  const isUp = await Promise.race([answered, tooLate])
  clearTimeout(timer)
  return isUp
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
