import { DatabaseState } from '@cairn/ledger-contracts'
import { z } from 'zod'
import { declareEndpoint } from './endpoint.ts'
import { LEDGER_QUERY_FAILURES } from './failures.ts'
import { Instant } from './fields.ts'

/** The space of a disk. */
export const DiskSpace = z.object({ freeBytes: z.number(), totalBytes: z.number() })
export type DiskSpace = z.infer<typeof DiskSpace>

/**
 * Returns the releases of the gateway and of the ledger that answer, and the state of the database
 * server and of the disks.
 */
export const getServers = declareEndpoint({
  method: 'GET',
  path: '/admin/servers',
  permission: 'jobs.read',
  response: z.object({
    gateway: z.object({
      release: z.string(),
      /** The disk of `BACKUP_DIR`; null if it is not set or cannot be read. */
      backupDisk: DiskSpace.nullable(),
    }),
    ledger: z.object({
      release: z.string(),
      /** The end of the certificate of the ledger service; null if it has none. */
      certificateExpiresAt: Instant.nullable(),
      /** The disk with the checkpoint files; null before the first checkpoint. */
      disk: DiskSpace.nullable(),
      database: DatabaseState,
    }),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})
