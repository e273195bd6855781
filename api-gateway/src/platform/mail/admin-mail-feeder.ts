import type { PgBoss } from 'pg-boss'
import type { Database } from '../database/database.ts'
import { createJobId } from '../jobs/job-id.ts'
import { runForEachLedger } from '../ledger-client/run-for-each-ledger.ts'
import type { SiteLedgers } from '../ledger-client/site-ledgers.ts'
import type { Settings } from '../settings-store/site-settings.ts'
import { getMailKey, MAIL_QUEUE, type MailPayload } from './mail-job.ts'

const MESSAGES_PER_RUN = 100
/** The number of past months about which a new auditor receives mails. */
const MONTHS_BACK = 3
const SIGNED_WITHIN_MS = 7 * 86_400_000

/**
 * Queues mails about new contact messages and about signed months. Repeated calls create the same
 * job ids, so that no mail is sent twice.
 */
export async function feedAdminMails(deps: {
  db: Database
  boss: PgBoss
  ledgers: SiteLedgers
  settings: Settings
  nowMs: number
}): Promise<void> {
  await queueMails(deps.boss, await listContactPayloads(deps))
  await runForEachLedger(await deps.ledgers.list(), async (ledger) =>
    queueMails(deps.boss, await listMonthPayloads(deps, ledger)),
  )
}

async function queueMails(boss: PgBoss, payloads: readonly MailPayload[]): Promise<void> {
  if (payloads.length === 0) return
  await boss.insert(
    MAIL_QUEUE,
    payloads.map((data) => ({ id: createJobId(getMailKey(data), 0n), data })),
  )
}

async function listContactPayloads(deps: {
  db: Database
  settings: Settings
}): Promise<readonly MailPayload[]> {
  const { notifications } = await deps.settings.read()
  // While mails are switched off, the mails about contact messages wait. Administrators can still
  // read the messages on a page.
  if (!notifications.emailNotifications) return []
  const rows = await deps.db
    .selectFrom('platform.contact_message')
    .select('id')
    .where('mailed_at', 'is', null)
    .where('answered_at', 'is', null)
    .orderBy('id')
    .limit(MESSAGES_PER_RUN)
    .execute()
  return rows.map(({ id }) => ({ source: 'contact', messageId: id }))
}

async function listMonthPayloads(
  deps: { ledgers: SiteLedgers; settings: Settings; nowMs: number },
  ledger: number,
): Promise<readonly MailPayload[]> {
  const { notifications } = await deps.settings.read()
  const { auditorEmails } = notifications
  if (auditorEmails.length === 0) return []
  const page = { before: null, limit: MONTHS_BACK }
  const { trialBalances } = await deps.ledgers.getOwnClient(ledger).ask('trialBalances', page)
  const named = ledger === deps.ledgers.first ? {} : { ledger }
  return trialBalances
    .filter(({ signedAt }) => deps.nowMs - Date.parse(signedAt) < SIGNED_WITHIN_MS)
    .flatMap(({ month }) =>
      auditorEmails.map((to) => ({ source: 'month' as const, month, to, ...named })),
    )
}
