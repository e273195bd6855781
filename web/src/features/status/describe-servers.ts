import type { DiskSpace, getServers, ResponseOf, WorkerState } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'

export type Servers = ResponseOf<typeof getServers>
type Database = Servers['ledger']['database']

const GIGABYTE = 1e9
const MEGABYTE = 1e6
/** With less free space, a warning is shown. The alert CairnDiskFull has the same limit. */
const FREE_RATIO_MIN = 0.1
/** The alert CairnCertificateExpires has the same limit. */
const CERTIFICATE_DAYS_MIN = 14
/** The alert CairnArchiveLate has the same limit. */
const ARCHIVE_LAG_SECONDS_MAX = 600
const WAITING_SEGMENTS_MAX = 64
const DAY_MS = 86_400_000

/** `missing` is a protection that is off. `fault` is a state on which the operator has to act. */
export type FactLevel = 'normal' | 'missing' | 'fault'

export interface ServerFact {
  readonly text: string
  readonly level: FactLevel
}

/** Formats a number of bytes in megabytes or gigabytes of ten to the power of six or nine bytes. */
export function formatBytes(bytes: number): string {
  const [amount, unit] = bytes < GIGABYTE ? [bytes / MEGABYTE, 'MB'] : [bytes / GIGABYTE, 'GB']
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount).toLocaleString('en-US')} ${unit}`
}

export function describeDisk({ freeBytes, totalBytes }: DiskSpace): ServerFact {
  const ratio = totalBytes === 0 ? 0 : freeBytes / totalBytes
  const text = `${formatBytes(freeBytes)} free of ${formatBytes(totalBytes)} (${Math.floor(ratio * 100)}%)`
  return { text, level: ratio < FREE_RATIO_MIN ? 'fault' : 'normal' }
}

export function describeArchive(database: Database): ServerFact {
  const { archiveLagSeconds: lag, archiveWaitingSegments: waiting } = database
  if (lag === null) return { text: 'The server does not archive', level: 'missing' }
  if (waiting !== null && waiting > WAITING_SEGMENTS_MAX) {
    const text = `${formatCounted(waiting, 'segment waits', 'segments wait')} for the archive`
    return { text, level: 'fault' }
  }
  if (lag === 0) return { text: 'Has all events', level: 'normal' }
  const text = `May lack the events of the last ${formatDuration(lag)}`
  return { text, level: lag > ARCHIVE_LAG_SECONDS_MAX ? 'fault' : 'normal' }
}

export function describeStandbys({ standbys, standbyLagSeconds: lag }: Database): string {
  if (standbys === 0) return 'No standby'
  const connected = `${formatCounted(standbys, 'standby')} connected`
  return lag === null
    ? `${connected}, delay unknown`
    : `${connected}, ${formatDuration(lag)} behind`
}

/** Names the releases of the programs that answer: one number if they are the same. */
export function describeReleases(
  { gateway, ledger }: Servers,
  workers: readonly WorkerState[],
): ServerFact {
  const programs = [
    { name: 'gateway', release: gateway.release },
    { name: 'ledger', release: ledger.release },
    ...workers
      .filter(({ isReachable }) => isReachable)
      // Workers of release 0.9.0 report no release.
      .map(({ worker, release }) => ({ name: `${worker} worker`, release: release ?? '0.9.0' })),
  ]
  const releases = new Set(programs.map(({ release }) => release))
  if (releases.size === 1) return { text: `Cairn ${gateway.release}`, level: 'normal' }
  const text = programs.map(({ name, release }) => `${name} ${release}`).join(', ')
  return { text, level: 'fault' }
}

/** True if a certificate expires in less than two weeks. */
export function isCertificateEnding(expiresAt: string, nowMs: number): boolean {
  return Date.parse(expiresAt) - nowMs < CERTIFICATE_DAYS_MIN * DAY_MS
}

function formatDuration(seconds: number): string {
  if (seconds < 60) return formatCounted(Math.ceil(seconds), 'second')
  if (seconds < 3_600) return formatCounted(Math.ceil(seconds / 60), 'minute')
  return formatCounted(Math.ceil(seconds / 3_600), 'hour')
}
