import { AnnouncementKind } from '@cairn/gateway-contracts'
import type { ComposeDependencies, ComposedMail } from './composed-mail.ts'
import type { MailPayload } from './mail-job.ts'
import { toMailName } from './mail-name.ts'
import { createUnsubscribePath } from './unsubscribe-token.ts'

/** Composes the mail of an announcement; null if the account is no longer active. */
export async function composeAnnouncement(
  { db, seal }: Pick<ComposeDependencies, 'db' | 'seal'>,
  { announcementId, userId }: Extract<MailPayload, { source: 'announcement' }>,
): Promise<ComposedMail | null> {
  const announcement = await db
    .selectFrom('platform.announcement')
    .select(['kind', 'subject', 'body'])
    .where('id', '=', announcementId)
    .executeTakeFirst()
  const person = await db
    .selectFrom('identity.user')
    .select(['name', 'email'])
    .where('id', '=', userId)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (announcement === undefined || person === undefined) return null
  const kind = AnnouncementKind.parse(announcement.kind)
  const { subject, body: text } = announcement
  const unsubscribePath = createUnsubscribePath(seal, { userId, kind })
  return {
    kind,
    to: { name: toMailName(person.name), address: person.email },
    userId,
    values: { subject, text, unsubscribePath },
    attachments: [],
    isTest: false,
  }
}
