import {
  type Announcement,
  type AnnouncementContent,
  AnnouncementKind,
  exportAnnouncements,
  listAnnouncements,
  previewAnnouncement,
  sendAnnouncement,
} from '@cairn/gateway-contracts'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { type Columns, createListRoutes, type RowPage } from '../../platform/http/list-export.ts'
import { declareRoute, type Exchange, getCaller, type Route } from '../../platform/http/registry.ts'
import { COMMON_SAMPLES, getSamples, MAIL_KINDS } from '../../platform/mail/mail-kinds.ts'
import { type Mail, renderMail } from '../../platform/mail/render.ts'
import { readSafeTemplate } from '../../platform/mail/template.ts'
import { findForeignLink } from '../../platform/mail/template-links.ts'
import {
  isChangeNeeded,
  type RequestDependencies,
  requestChange,
} from '../change-requests/index.ts'
import { findPersons, toPersonField } from '../users/index.ts'
import { type AnnouncementPayload, createAnnouncementChange } from './announcement-change.ts'
import { readAudience, readAudiences } from './audience.ts'
import { type AnnouncementRow, storeAnnouncement } from './store-announcement.ts'

type AnnouncementDependencies = RequestDependencies & Pick<Dependencies, 'publicUrl' | 'settings'>

/** Maximum length of a link in an error message, so that the message fits on one line. */
const LINK_SHOWN_MAX = 80

const COLUMNS: Columns<Announcement> = {
  Sent: ({ sentAt }) => sentAt,
  Kind: ({ kind }) => kind,
  Subject: ({ subject }) => subject,
  Text: ({ text }) => text,
  'Sent by': ({ sentBy }) => sentBy?.name ?? '',
  Recipients: ({ recipients }) => recipients,
}

export function createAnnouncementRoutes(deps: AnnouncementDependencies): readonly Route[] {
  return [
    ...createAnnouncementListRoutes(deps),
    declareRoute(
      previewAnnouncement,
      { rate: 'write', owner: 'any', audit: null, needsFreshFactor: false },
      async ({ body }, { nowMs }) => {
        requireOwnLinks(deps, body)
        const audience = await readAudience(deps.db, { kind: body.kind, nowMs })
        return { preview: await renderSample(deps, body), audience }
      },
    ),
    declareRoute(
      sendAnnouncement,
      { rate: 'write', owner: 'any', audit: 'announcement.send' },
      async ({ body: { reason = null, ...content } }, exchange) => {
        requireOwnLinks(deps, content)
        await requestIfNeeded(deps, exchange, { payload: content, reason })
        // The settings are loaded first, because they set the time zone of a refusal.
        await deps.settings.read()
        const { subjectId: id, nowMs } = exchange
        const { userId: sentBy } = getCaller(exchange)
        const row = await deps.db
          .transaction()
          .execute((trx) => storeAnnouncement(trx, { ...content, id, sentBy, nowMs }))
        const { kind, recipients, subject: title } = row
        exchange.note({ subject: row.id, kind, title, recipients })
        return { announcement: await presentOne(deps.db, row) }
      },
    ),
  ]
}

function createAnnouncementListRoutes({ db }: Pick<Dependencies, 'db'>): readonly Route[] {
  return createListRoutes({
    list: listAnnouncements,
    read: async ({ query }, { nowMs }) => {
      const [{ rows, next }, audiences] = await Promise.all([
        listSent(db, query),
        // Counting reads the preferences of all people, so only the first page does it.
        query.before === undefined ? readAudiences(db, nowMs) : [],
      ])
      return { announcements: [...rows], audiences, meta: { next } }
    },
    csv: {
      endpoint: exportAnnouncements,
      fileName: 'announcements.csv',
      audit: 'announcement.export',
      columns: COLUMNS,
      toRequest: (_request, { limit, after }) => ({ query: { limit, before: after } }),
      toPage: ({ announcements, meta }) => ({ rows: announcements, next: meta.next }),
    },
  })
}

async function listSent(
  db: Database,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<RowPage<Announcement>> {
  let page = db.selectFrom('platform.announcement').selectAll().orderBy('id', 'desc').limit(limit)
  if (before !== undefined) page = page.where('id', '<', before)
  const rows = await page.execute()
  const next = rows.length === limit ? (rows.at(-1)?.id ?? null) : null
  return { rows: await present(db, rows), next }
}

/**
 * Throws if a link leads to another host, because readers trust the links in a mail of the site.
 */
function requireOwnLinks(
  { publicUrl }: Pick<Dependencies, 'publicUrl'>,
  { subject, text }: AnnouncementContent,
): void {
  for (const [field, value] of Object.entries({ subject, text })) {
    const foreign = findForeignLink(value.replaceAll(publicUrl, '{{siteUrl}}'))
    if (foreign === null) continue
    const link = foreign.slice(0, LINK_SHOWN_MAX)
    const message = `Links may lead only to this site: write ${publicUrl}/page, not ${link}`
    throw new HttpFailure(400, 'INVALID', message, { errors: [{ [field]: message }] })
  }
}

/**
 * Stores a change request and throws 409 if two administrators must approve the announcement, as
 * they approve the templates of mails: many people read it and follow it.
 */
async function requestIfNeeded(
  deps: AnnouncementDependencies,
  exchange: Exchange,
  { payload, reason }: { payload: AnnouncementPayload; reason: string | null },
): Promise<void> {
  const definition = createAnnouncementChange()
  if (!(await isChangeNeeded(deps, definition))) return
  const proposal = { payload, reason, fields: ['subject', 'text'], errors: 'list' } as const
  throw await requestChange(deps, exchange, { definition, proposal })
}

/** Renders the mail for an invented reader. */
async function renderSample(
  { db, settings, publicUrl }: AnnouncementDependencies,
  { kind, subject, text }: AnnouncementContent,
): Promise<Mail> {
  const { general } = await settings.read()
  const site = { siteName: general.siteName, siteUrl: publicUrl }
  const values = { ...COMMON_SAMPLES, ...getSamples(kind), ...site, subject, text }
  return renderMail(await readSafeTemplate(db, kind), values, MAIL_KINDS[kind])
}

async function presentOne(db: Database, row: AnnouncementRow): Promise<Announcement> {
  const [announcement] = await present(db, [row])
  if (announcement === undefined) throw new Error('one row has one answer')
  return announcement
}

async function present(db: Database, rows: readonly AnnouncementRow[]): Promise<Announcement[]> {
  const persons = await findPersons(
    db,
    rows.map(({ sent_by }) => sent_by),
  )
  return rows.map((row) => ({
    id: row.id,
    _id: row.id,
    kind: AnnouncementKind.parse(row.kind),
    subject: row.subject,
    text: row.body,
    sentAt: row.sent_at.toISOString(),
    ...toPersonField('sentBy', persons.get(row.sent_by)),
    recipients: row.recipients,
  }))
}
