import type { AuditRow } from '@cairn/ledger-contracts/proof'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { createJobId } from '../../platform/jobs/job-id.ts'
import { getMailKey, MAIL_QUEUE, type MailPayload } from '../../platform/mail/mail-job.ts'
import { securityEvents } from '../../platform/metrics/metrics.ts'
import {
  findSecurityKind,
  getRefusalCount,
  listWeakenedControls,
  MAILED_KINDS,
  SECURITY_KINDS,
} from './security-event.ts'

/**
 * Returns a function that logs and counts the security events among the chained rows. If the
 * process ends after the commit, the log lines of that run are missing, but the audit log has the
 * rows.
 */
export function createSecurityStream(log: Logger): (rows: readonly AuditRow[]) => void {
  // Creates each series with 0, because `increase()` ignores the first value of a new series.
  for (const kind of SECURITY_KINDS) securityEvents.inc({ kind }, 0)
  return (rows) => {
    for (const row of rows) {
      const kind = findSecurityKind(row)
      if (kind === null) continue
      const count = getRefusalCount(row)
      const { details, ...event } = row
      const weakened = listWeakenedControls(details)
      securityEvents.inc({ kind }, count)
      log.info({ kind, count, ...event, ...(weakened.length > 0 ? { weakened } : {}) }, 'event')
    }
  }
}

/**
 * Queues the mails about security events. The function runs before the rows are marked as chained.
 * After a crash the function runs again with the same rows, and the job id prevents a second mail.
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
