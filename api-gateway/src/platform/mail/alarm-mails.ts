import { listHolders } from '../access/granted-roles.ts'
import { formatSiteTime } from '../site-format.ts'
import type { ComposeDependencies, ComposedMail } from './composed-mail.ts'
import { findPerson } from './find-person.ts'
import type { MailPayload } from './mail-job.ts'
import type { Values } from './markup.ts'

// These mails go to every administrator. No setting switches them off, because the person who
// caused a mail could have changed the setting.

type AlarmDependencies = Pick<ComposeDependencies, 'db' | 'clock'>

export async function composeSecurityEvent(
  deps: AlarmDependencies,
  { auditId, kind }: Extract<MailPayload, { source: 'security' }>,
): Promise<ComposedMail | null> {
  const row = await deps.db
    .selectFrom('platform.audit')
    .select(['action', 'actor_id', 'ip', 'recorded_at', 'subject'])
    .where('id', '=', auditId)
    .executeTakeFirst()
  if (row === undefined) return null
  // The new administrator gets the invitation and does not need this mail.
  const isAbout = ({ userId, email }: { userId: string; email: string }) =>
    kind === 'administrator-added' && [userId, email].includes(row.subject ?? '')
  const actor = row.actor_id === null ? null : await findPerson(deps.db, row.actor_id)
  const values = {
    event: SECURITY_WORDS[kind] ?? kind,
    action: row.action,
    person: actor?.name ?? 'the command line on the server',
    ip: row.ip,
    at: formatSiteTime(row.recorded_at),
  }
  return toAllAdmins(deps, { kind: 'security-event', values, isLeftOut: isAbout })
}

const SECURITY_WORDS: Readonly<Record<string, string>> = {
  'administrator-added': 'new administrator',
  'break-glass': 'command on the server',
  'control-weakened': 'a setting weakens a control',
  'settings-changed': 'settings were changed',
}

/** Composes the mail about a verification that found a difference or ended without a result. */
export async function composeVerification(
  deps: AlarmDependencies,
  { startedAt, count, first, event }: Extract<MailPayload, { source: 'verification' }>,
): Promise<ComposedMail | null> {
  const values = {
    at: formatSiteTime(new Date(startedAt)),
    count: String(count),
    first: event === null ? first : `event ${event}: ${first}`,
  }
  return toAllAdmins(deps, { kind: 'verification-failed', values, isLeftOut: () => false })
}

async function toAllAdmins(
  { db, clock }: AlarmDependencies,
  mail: {
    kind: ComposedMail['kind']
    values: Values
    isLeftOut(admin: { userId: string; email: string }): boolean
  },
): Promise<ComposedMail | null> {
  const { kind, values, isLeftOut } = mail
  // Every role has the permission `overview.read`, so this call lists all administrators.
  const admins = await listHolders(db, { permission: 'overview.read', nowMs: clock.now() })
  const address = admins.filter((admin) => !isLeftOut(admin)).map(({ email }) => email)
  if (address.length === 0) return null
  const to = { name: 'team', address }
  return { kind, to, userId: null, values, attachments: [], isTest: false }
}
