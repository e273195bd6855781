import type { AuditRow } from '@cairn/ledger-contracts/proof'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { createJobId } from '../../platform/jobs/job-id.ts'
import { getMailKey, MAIL_QUEUE, type MailPayload } from '../../platform/mail/mail-job.ts'
import { securityEvents } from '../../platform/metrics/metrics.ts'
import {
  findSecurityKind,
  getRefusalCount,
  listWeakened,
  MAILED_KINDS,
  SECURITY_KINDS,
} from './security-event.ts'

/**
 * Writes each chained row as one line and counts it. The sealer sees every row once, also those of
 * the command line. If the process ends after the commit, the lines of that run are missing; the
 * rows are in the audit log.
 */
export function createSecurityStream(log: Logger): (rows: readonly AuditRow[]) => void {
  // Creates each series at 0, because `increase()` in an alert rule misses the first event of a new
  // series.
  for (const kind of SECURITY_KINDS) securityEvents.inc({ kind }, 0)
  return (rows) => {
    for (const row of rows) {
      const kind = findSecurityKind(row)
      if (kind === null) continue
      const count = getRefusalCount(row)
      const { details, ...event } = row
      const weakened = listWeakened(details)
      securityEvents.inc({ kind }, count)
      log.info({ kind, count, ...event, ...(weakened.length > 0 ? { weakened } : {}) }, 'event')
    }
  }
}

/**
 * Queues the mails before the rows are marked as chained: after a crash the rows are read again,
 * and the same job id is queued once.
 */
export async function queueSecurityMails(
  boss: Pick<PgBoss, 'insert'>,
  rows: readonly AuditRow[],
): Promise<void> {
  const payloads = rows.flatMap((row): MailPayload[] => {
    const kind = findSecurityKind(row)
    if (kind === null || !MAILED_KINDS.has(kind)) return []
    return [{ source: 'security', auditId: row.id, kind }]
  })
  if (payloads.length === 0) return
  const jobs = payloads.map((data) => ({ id: createJobId(getMailKey(data), 0n), data }))
  await boss.insert(MAIL_QUEUE, jobs)
}
