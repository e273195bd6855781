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
      database: z.object({
        /** The version of PostgreSQL. */
        version: z.string(),
        /** The size of the database. */
        bytes: z.number(),
        /**
         * The age of the oldest recorded event that the archive of the write-ahead log may lack; 0
         * if the archive has all events, null if the server does not archive.
         */
        archiveLagSeconds: z.number().nullable(),
        /** The number of full segments that are not archived; null if the server does not archive. */
        archiveWaitingSegments: z.int().nullable(),
        /** The number of servers that receive the write-ahead log. */
        standbys: z.int(),
        /** The largest delay of a standby; null if the role of the ledger may not read it. */
        standbyLagSeconds: z.number().nullable(),
      }),
    }),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})
