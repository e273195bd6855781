import type { Permission } from '@cairn/gateway-contracts'
import { listHolders } from '../access/granted-roles.ts'
import type { Database } from '../database/database.ts'
import { openForPerson } from '../erasure/person-key.ts'
import { replaceReferencesByTexts } from '../erasure/private-text.ts'
import { composeSecurityEvent, composeVerification } from './alarm-mails.ts'
import { composeAnnouncement } from './announcement-mail.ts'
import type { ComposeDependencies, ComposedMail } from './composed-mail.ts'
import { listMails } from './event-mail.ts'
import { findPerson } from './find-person.ts'
import type { MailPayload } from './mail-job.ts'
import { getSamples, isMailName, type MailName } from './mail-kinds.ts'
import { toMailName } from './mail-name.ts'
import type { Values } from './markup.ts'
import { describeCorrection, isOperatorPayout } from './transaction-maker.ts'

/** Returns the mail to send; null if the mail has no recipient or is no longer needed. */
export async function composeMail(
  deps: ComposeDependencies,
  payload: MailPayload,
): Promise<ComposedMail | null> {
  switch (payload.source) {
    case 'outbox':
      return composeOutbox(deps, payload.outboxId)
    case 'event':
      return composeEvent(deps, payload)
    case 'contact':
      return composeContact(deps, payload.messageId)
    case 'month':
      return composeMonth(deps, payload)
    case 'paper':
      return composeStatement(deps, payload.paperId)
    case 'announcement':
      return composeAnnouncement(deps, payload)
    case 'given-up':
      return composeFailedJobs(deps, payload)
    case 'security':
      return composeSecurityEvent(deps, payload)
    case 'verification':
      return composeVerification(deps, payload)
  }
}

async function composeOutbox(deps: ComposeDependencies, id: string): Promise<ComposedMail | null> {
  const row = await deps.db
    .selectFrom('identity.outbox')
    .select(['kind', 'user_id', 'sealed'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined || row.sealed === null) return null
  const { to, holder, ...values } = await replaceReferencesByTexts(
    deps.db,
    deps.seal.open(row.sealed),
  )
  const isTest = row.kind === 'template-test'
  const kind = isTest ? (values.kind ?? '') : row.kind
  if (!isMailName(kind)) throw new Error(`unknown mail ${kind}`)
  // The mail about a closed account is sent after the personal data was erased. The outbox row of
  // this mail therefore contains the name and the address.
  const last = to === undefined || holder === undefined ? null : { name: holder, email: to }
  const person = (await findPerson(deps.db, row.user_id)) ?? last
  if (person === null) return null
  if (isTest) {
    const mail = { kind, to: toReader(person), userId: null, attachments: [], isTest }
    return { ...mail, values: getSamples(kind) }
  }
  if (kind === 'admin-new-user') {
    const { notifications } = await deps.settings.read()
    const values = { person: person.name, email: person.email }
    const isOn = notifications.newUserNotification
    return toAdmins(deps, { kind, values, isOn })
  }
  const reader = toReader({ name: person.name, email: to ?? person.email })
  return { ...plain, kind, to: reader, userId: row.user_id, values }
}

const plain = { attachments: [], isTest: false }

async function composeEvent(
  deps: ComposeDependencies,
  payload: Extract<MailPayload, { source: 'event' }>,
): Promise<ComposedMail | null> {
  const data = await replaceReferencesByTexts(deps.db, payload.data)
  const mail = listMails(payload.type, data).find(({ part }) => part === payload.part)
  if (mail === undefined) return null
  const { kind, userId, values } = mail
  const person = await findPerson(deps.db, userId)
  if (person === null) return null
  if (kind === 'wallet-corrected') {
    const correction = await describeCorrection(deps, payload.data.transactionId)
    return { ...plain, kind, to: toReader(person), userId, values: { ...values, correction } }
  }
  if (kind === 'withdrawal-requested' && (await isOperatorPayout(deps, payload.data))) {
    return { ...plain, kind: 'payout-requested', to: toReader(person), userId, values }
  }
  if (mail.part !== 'office') return { ...plain, kind, to: toReader(person), userId, values }
  const { notifications } = await deps.settings.read()
  const { depositNotification, withdrawalNotification } = notifications
  const office = { values: { ...values, person: person.name } }
  return kind === 'admin-deposit'
    ? toAdmins(deps, { ...office, kind, isOn: depositNotification })
    : toAdmins(deps, { ...office, kind: 'admin-withdrawal', isOn: withdrawalNotification })
}

async function composeContact(deps: ComposeDependencies, id: string): Promise<ComposedMail | null> {
  const row = await deps.db
    .selectFrom('platform.contact_message')
    .select(['name', 'email', 'message'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return null
  const values = { person: row.name, email: row.email, message: row.message }
  return toAdmins(deps, { kind: 'contact-message', values, isOn: true })
}

async function composeFailedJobs(
  deps: ComposeDependencies,
  { queue, count, day }: Extract<MailPayload, { source: 'given-up' }>,
): Promise<ComposedMail | null> {
  const values = { job: queue, count: String(count), day }
  return toAdmins(deps, { kind: 'jobs-given-up', values, isOn: true })
}

async function composeMonth(
  deps: ComposeDependencies,
  { month, to, ledger: further }: Extract<MailPayload, { source: 'month' }>,
): Promise<ComposedMail | null> {
  const ledger = further === undefined ? deps.ledger : deps.ledgers?.getOwnClient(further)
  if (ledger === undefined) throw new Error(`ledger ${further} cannot be asked here`)
  const suffix = further === undefined ? '' : `-ledger-${further}`
  const { trialBalances } = await ledger.ask('trialBalances', { before: null, limit: 12 })
  const signed = trialBalances.find((balance) => balance.month === month)
  if (signed === undefined) return null
  const { checkpoint } = await ledger.ask('checkpoint', {})
  const contentType = 'text/plain; charset=utf-8'
  const attachments = [
    { filename: `trial-balance-${month}${suffix}.txt`, content: signed.note, contentType },
    ...(checkpoint === null
      ? []
      : [{ filename: `checkpoint${suffix}.txt`, content: checkpoint.note, contentType }]),
  ]
  const values = { month, events: String(signed.size) }
  const reader = { name: 'auditor', address: to }
  return { kind: 'month-end', to: reader, userId: null, values, attachments, isTest: false }
}

async function composeStatement(
  { db }: ComposeDependencies,
  id: string,
): Promise<ComposedMail | null> {
  const paper = await db
    .selectFrom('platform.paper')
    .select(['investor_id', 'subject', 'sealed'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (paper === undefined) return null
  const { investor_id: userId, sealed } = paper
  const person = await findPerson(db, userId)
  const content = await openForPerson(db, { userId, sealed })
  if (person === null || content === null) return null
  const filename = `statement-${paper.subject}.pdf`
  const attachment = { filename, content, contentType: 'application/pdf' }
  const values = { month: formatMonthName(paper.subject) }
  const mail = { kind: 'statement-ready', values, userId } as const
  return { ...mail, to: toReader(person), attachments: [attachment], isTest: false }
}

/** Formats a month: `2026-10` becomes `October 2026`. */
export function formatMonthName(month: string): string {
  const format = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return format.format(new Date(`${month}-01T00:00:00Z`))
}

/** The permission of the administrators who receive the mail if the settings contain no address. */
const ADMIN_MAILS = {
  'admin-deposit': 'transactions.decide',
  'admin-withdrawal': 'transactions.decide',
  'admin-new-user': 'users.status',
  'contact-message': 'messages.read',
  'jobs-given-up': 'jobs.read',
} as const satisfies Partial<Record<MailName, Permission>>
type AdminMail = keyof typeof ADMIN_MAILS

/**
 * Sends the mail to the address in the settings. If the settings contain no address, sends it to
 * the administrators with the permission.
 */
async function toAdmins(
  { db, clock, settings }: Pick<ComposeDependencies, 'db' | 'clock' | 'settings'>,
  { kind, values, isOn }: { kind: AdminMail; values: Values; isOn: boolean },
): Promise<ComposedMail | null> {
  const { emailNotifications, adminEmail } = (await settings.read()).notifications
  if (!isOn || !emailNotifications) return null
  const address = adminEmail ?? (await findAdminEmails(db, ADMIN_MAILS[kind], clock.now()))
  if (address.length === 0) return null
  return { ...plain, kind, to: { name: 'team', address }, userId: null, values }
}

async function findAdminEmails(
  db: Database,
  permission: Permission,
  nowMs: number,
): Promise<readonly string[]> {
  const holders = await listHolders(db, { permission, nowMs })
  return holders.map(({ email }) => email)
}

function toReader({ name, email }: { name: string; email: string }) {
  // Links and control characters are removed from the name, because an unverified address may
  // belong to a stranger.
  return { name: toMailName(name), address: email }
}
