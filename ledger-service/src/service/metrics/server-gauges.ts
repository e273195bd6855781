import type { DatabaseState } from '@cairn/ledger-contracts'
import { createCertificateGauge } from '@cairn/service-kit/certificate-gauge'
import { createDiskGauge } from '@cairn/service-kit/disk-space'
import type { ServerTls } from '@cairn/service-kit/service-tls'
import { registerGauge, registerLabelledGauge } from './metrics.ts'

/**
 * Registers the gauges of the databases, of the disk with the checkpoint files and of the
 * certificate of this service. A database that does not answer has no values.
 */
export function registerServerGauges({
  tls,
  checkpointDir,
  readDatabaseStates,
}: {
  tls: ServerTls | null
  checkpointDir: string
  readDatabaseStates: () => Promise<ReadonlyMap<string, DatabaseState>>
}): void {
  // A scrape reads all gauges at once, and the size of a large database takes time to read.
  let reading: ReturnType<typeof readDatabaseStates> | null = null
  const readOnce = () => {
    reading ??= readDatabaseStates().finally(() => {
      reading = null
    })
    return reading
  }
  const register = (
    name: string,
    help: string,
    read: (state: DatabaseState) => number | null,
  ): void =>
    registerLabelledGauge({
      name,
      help,
      label: 'place',
      read: async () => {
        const values = [...(await readOnce())].flatMap(([place, state]) => {
          const value = read(state)
          return value === null ? [] : [[place, value] as const]
        })
        return new Map(values)
      },
    })
  register(
    'cairn_archive_lag_seconds',
    'Age of the oldest event that the archive of the write-ahead log may lack',
    ({ archiveLagSeconds }) => archiveLagSeconds,
  )
  register(
    'cairn_archive_waiting_segments',
    'Full segments of the write-ahead log that are not archived',
    ({ archiveWaitingSegments }) => archiveWaitingSegments,
  )
  register(
    'cairn_standbys',
    'Servers that receive the write-ahead log of the database',
    ({ standbys }) => standbys,
  )
  register(
    'cairn_standby_lag_seconds',
    'Largest delay of a standby; none if the role of the ledger may not read it',
    ({ standbyLagSeconds }) => standbyLagSeconds,
  )
  registerLabelledGauge(createDiskGauge('checkpoints', checkpointDir))
  const certificate = createCertificateGauge(tls)
  if (certificate !== null) registerGauge(certificate)
}
