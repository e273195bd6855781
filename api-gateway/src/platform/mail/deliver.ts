import type { Clock } from '@cairn/service-kit/clock'
import { runInSpan, type Tracer } from '@cairn/service-kit/tracing/tracer'
import type { SendMailOptions } from 'nodemailer'
import type { Database } from '../database/database.ts'
import { readPreferences } from '../settings-store/preferences.ts'
import { composeMail } from './compose.ts'
import type { ComposeDependencies, ComposedMail } from './composed-mail.ts'
import { getMailKey, type MailPayload } from './mail-job.ts'
import { MAIL_KINDS } from './mail-kinds.ts'
import type { MailTransport } from './mail-transports.ts'
import { renderMail } from './render.ts'
import { sendAtMostOnce } from './send-at-most-once.ts'
import { readSafeTemplate } from './template.ts'

export interface DeliveryDependencies extends ComposeDependencies {
  clock: Clock
  transport: MailTransport
  /** Sends the mails of announcements. By default, `transport` sends them. */
  announcements?: MailTransport
  publicUrl: string
  /** Starts the spans of mails. By default, mails have no spans. */
  tracer?: Tracer | null
}

/**
 * Sends a mail, unless the mail is recorded as sent. If the process crashes between sending and
 * recording, the mail is sent twice with the same Message-ID. Mail programs show such mails once.
 * The mail of an announcement is never sent twice.
 */
export async function deliverMail(deps: DeliveryDependencies, payload: MailPayload): Promise<void> {
  const domain = getMailDomain(deps.publicUrl)
  const messageId = `<${getMailKey(payload)}@${domain}>`
  if (await isDelivered(deps.db, messageId)) return
  // The settings are loaded first, because they set the currency and the time zone of the texts.
  const { general } = await deps.settings.read()
  const composed = await composeMail(deps, payload)
  if (composed === null || !(await isSwitchedOn(deps.db, composed)))
    return discardMail(deps.db, payload)
  const { siteName } = general
  const template = await readSafeTemplate(deps.db, composed.kind)
  // Links contain tokens, so their host comes from the environment and not from a setting.
  const siteUrl = deps.publicUrl
  const values = { ...composed.values, name: composed.to.name, siteName, siteUrl }
  const { kind } = composed
  const mail = await renderMail(template, values, MAIL_KINDS[kind])
  const attributes = { 'cairn.mail.kind': kind }
  const isOnce = payload.source === 'announcement'
  const transport = isOnce ? (deps.announcements ?? deps.transport) : deps.transport
  const send = () =>
    runInSpan(deps.tracer ?? null, { name: `mail ${kind}`, kind: 'client', attributes }, () =>
      transport.sendMail({
        messageId,
        from: { name: siteName, address: `no-reply@${domain}` },
        to: toAddresses(composed.to),
        ...mail,
        subject: composed.isTest ? `[Test] ${mail.subject}` : mail.subject,
        attachments: [...composed.attachments],
        headers: createUnsubscribeHeaders(siteUrl, composed),
      }),
    )
  if (isOnce) return sendAtMostOnce(deps, { messageId, kind, send })
  await send()
  await recordDelivery(deps, { messageId, kind, payload })
}

/** Returns the headers of RFC 8058, with which mail programs unsubscribe by one click. */
function createUnsubscribeHeaders(
  siteUrl: string,
  { values: { unsubscribePath }, isTest }: ComposedMail,
): Record<string, string> {
  if (unsubscribePath === undefined || isTest) return {}
  return {
    'List-Unsubscribe': `<${siteUrl}${unsubscribePath}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

function toAddresses({ name, address }: ComposedMail['to']): SendMailOptions['to'] {
  return typeof address === 'string' ? { name, address } : [...address]
}

/**
 * Returns false if the user has switched this mail off. Mails about security and moved money are
 * always sent.
 */
async function isSwitchedOn(db: Database, { kind, userId }: ComposedMail): Promise<boolean> {
  const { preference } = MAIL_KINDS[kind]
  if (preference === undefined || userId === null) return true
  const preferences = await readPreferences(db, userId)
  return preferences[preference]
}

/**
 * Deletes the content of a mail that will not be sent, so that the mail does not count as waiting.
 */
async function discardMail(db: Database, payload: MailPayload): Promise<void> {
  if (payload.source !== 'outbox') return
  await db
    .updateTable('identity.outbox')
    .set({ sealed: null })
    .where('id', '=', payload.outboxId)
    .execute()
}

async function isDelivered(db: Database, messageId: string): Promise<boolean> {
  const row = await db
    .selectFrom('platform.mail_delivery')
    .select('message_id')
    .where('message_id', '=', messageId)
    .executeTakeFirst()
  return row !== undefined
}

async function recordDelivery(
  deps: DeliveryDependencies,
  { messageId, kind, payload }: { messageId: string; kind: string; payload: MailPayload },
): Promise<void> {
  const sent_at = new Date(deps.clock.now())
  await deps.db
    .insertInto('platform.mail_delivery')
    .values({ message_id: messageId, kind, sent_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  if (payload.source === 'contact') {
    await deps.db
      .updateTable('platform.contact_message')
      .set({ mailed_at: sent_at })
      .where('id', '=', payload.messageId)
      .execute()
  }
  if (payload.source !== 'outbox') return
  await deps.db
    .updateTable('identity.outbox')
    .set({ sealed: null, sent_at })
    .where('id', '=', payload.outboxId)
    .execute()
}

/** Returns the domain for message ids. Mail servers reject ids with an IP address or localhost. */
function getMailDomain(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  return /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/.test(hostname) ? hostname : 'cairn.example'
}
