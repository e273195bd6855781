import type { SendMailOptions } from 'nodemailer'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { SITE_NAME } from '../settings/site.ts'
import { ACCOUNT_LETTERS, isOutboxKind } from './account-letters.ts'
import { toEventMail } from './event-mail.ts'
import { type Letter, renderLetter } from './letter.ts'
import { type MailPayload, mailKeyOf } from './mail-job.ts'
import type { OutboxSeal } from './outbox-seal.ts'

export interface DeliveryDependencies {
  db: Database
  clock: Clock
  seal: OutboxSeal
  transport: { sendMail(mail: SendMailOptions): Promise<unknown> }
  publicUrl: string
}

/**
 * Sends one mail once: a mail on record is not sent again. Cut off between sending and recording it
 * may leave twice, then with the same Message-ID, by which mail programs show it once.
 */
export async function deliverMail(deps: DeliveryDependencies, payload: MailPayload): Promise<void> {
  const domain = mailDomain(deps.publicUrl)
  const messageId = `<${mailKeyOf(payload)}@${domain}>`
  if (await isDelivered(deps.db, messageId)) return
  const wanted = await compose(deps, payload)
  if (wanted === null) return
  const reader = await findReader(deps.db, wanted.userId)
  if (reader === null) return
  const { name } = reader
  const address = wanted.to ?? reader.email
  const { publicUrl } = deps
  await deps.transport.sendMail({
    messageId,
    from: { name: SITE_NAME, address: `no-reply@${domain}` },
    to: { name, address },
    ...renderLetter(wanted.letter, { name, publicUrl }),
  })
  await recordDelivery(deps, { messageId, payload })
}

interface Wanted {
  userId: string
  letter: Letter
  /** Another address than the person's own: the one before a change, or the one that is to be proved. */
  to?: string | undefined
}

async function compose(deps: DeliveryDependencies, payload: MailPayload): Promise<Wanted | null> {
  if (payload.source === 'event') return toEventMail(payload.type, payload.data)
  const row = await deps.db
    .selectFrom('identity.outbox')
    .select(['kind', 'user_id', 'sealed'])
    .where('id', '=', payload.outboxId)
    .executeTakeFirst()
  if (row === undefined || row.sealed === null) return null
  if (!isOutboxKind(row.kind)) throw new Error(`unknown mail ${row.kind}`)
  const content = deps.seal.open(row.sealed)
  const letter = ACCOUNT_LETTERS[row.kind](content)
  return { userId: row.user_id, letter, to: content.to }
}

async function isDelivered(db: Database, messageId: string): Promise<boolean> {
  const row = await db
    .selectFrom('platform.mail_delivery')
    .select('message_id')
    .where('message_id', '=', messageId)
    .executeTakeFirst()
  return row !== undefined
}

async function findReader(
  db: Database,
  userId: string,
): Promise<{ name: string; email: string } | null> {
  const row = await db
    .selectFrom('identity.user')
    .select(['name', 'email'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

async function recordDelivery(
  deps: DeliveryDependencies,
  { messageId, payload }: { messageId: string; payload: MailPayload },
): Promise<void> {
  const sent_at = new Date(deps.clock.now())
  const kind = payload.source === 'event' ? payload.type : 'outbox'
  await deps.db
    .insertInto('platform.mail_delivery')
    .values({ message_id: messageId, kind, sent_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  if (payload.source !== 'outbox') return
  await deps.db
    .updateTable('identity.outbox')
    .set({ sealed: null, sent_at })
    .where('id', '=', payload.outboxId)
    .execute()
}

/** An address of the site's own; a bare IP or localhost has none that a mail server would take. */
function mailDomain(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  return /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/.test(hostname) ? hostname : 'cairn.example'
}
