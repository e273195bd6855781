import {
  listMailTemplates,
  previewMailTemplate,
  resetMailTemplate,
  saveMailTemplate,
  testMailTemplate,
} from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure, notFound } from '../../platform/http/failure.ts'
import { callerOf, type Route, route } from '../../platform/http/registry.ts'
import {
  COMMON_SAMPLES,
  isMailName,
  MAIL_KINDS,
  MAIL_NAMES,
  type MailName,
  samplesOf,
} from '../../platform/mail/mail-kinds.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { type MailText, renderMail } from '../../platform/mail/render.ts'
import { problemsOf, readTemplate, toMailTemplate } from '../../platform/mail/template.ts'

const write = { rate: 'write', owner: 'any' } as const

export function createMailTemplateRoutes(
  deps: Pick<Dependencies, 'db' | 'publicUrl' | 'seal' | 'settings'>,
): readonly Route[] {
  return [
    route(listMailTemplates, { rate: 'read', owner: 'any', audit: null }, async () => {
      const rows = await deps.db.selectFrom('platform.mail_template').selectAll().execute()
      const edited = new Map(rows.map((row) => [row.kind, row]))
      const templates = MAIL_NAMES.map((kind) => toMailTemplate(kind, edited.get(kind) ?? null))
      return { templates }
    }),
    createSaveRoute(deps),
    route(
      resetMailTemplate,
      { ...write, audit: 'template.reset' },
      async ({ params }, exchange) => {
        const kind = nameOf(params.kind)
        const before = await readTemplate(deps.db, kind)
        await deps.db.deleteFrom('platform.mail_template').where('kind', '=', kind).execute()
        exchange.note({ subject: kind, before: { subject: before.subject, body: before.body } })
        return { template: toMailTemplate(kind, null) }
      },
    ),
    route(
      previewMailTemplate,
      { ...write, audit: null, needsFreshFactor: false },
      async ({ params, body }) => {
        const kind = nameOf(params.kind)
        requireValidTemplate(kind, body)
        const { general } = await deps.settings.read()
        const site = { siteName: general.siteName, siteUrl: deps.publicUrl }
        const samples = { ...COMMON_SAMPLES, ...samplesOf(kind), ...site }
        return { preview: await renderMail(body, samples, MAIL_KINDS[kind].link?.label) }
      },
    ),
    route(
      testMailTemplate,
      { ...write, audit: 'template.test', needsFreshFactor: false },
      async ({ params }, exchange) => {
        const kind = nameOf(params.kind)
        const { userId } = callerOf(exchange)
        const { email } = await deps.db
          .selectFrom('identity.user')
          .select('email')
          .where('id', '=', userId)
          .executeTakeFirstOrThrow()
        const mail = { kind: 'template-test', userId, content: { kind } } as const
        await queueMail(deps.db, deps.seal, { ...mail, nowMs: exchange.nowMs })
        exchange.note({ subject: kind })
        return { sentTo: email }
      },
    ),
  ]
}

function createSaveRoute(deps: Pick<Dependencies, 'db'>): Route {
  return route(
    saveMailTemplate,
    { ...write, audit: 'template.edit' },
    async ({ params, body }, exchange) => {
      const kind = nameOf(params.kind)
      requireValidTemplate(kind, body)
      const before = await readTemplate(deps.db, kind)
      const change = {
        subject: body.subject,
        body: body.body,
        updated_by: callerOf(exchange).userId,
        updated_at: new Date(exchange.nowMs),
      }
      const row = await deps.db
        .insertInto('platform.mail_template')
        .values({ kind, ...change })
        .onConflict((conflict) => conflict.column('kind').doUpdateSet(change))
        .returningAll()
        .executeTakeFirstOrThrow()
      const { subject, body: text } = before
      exchange.note({ subject: kind, before: { subject, body: text }, after: body })
      return { template: toMailTemplate(kind, row) }
    },
  )
}

function nameOf(kind: string): MailName {
  if (!isMailName(kind)) throw notFound('There is no such mail')
  return kind
}

function requireValidTemplate(kind: MailName, text: MailText): void {
  const errors = problemsOf(kind, text)
  const [first] = errors.flatMap((error) => Object.values(error))
  if (first !== undefined) throw new HttpFailure(400, 'INVALID', first, { errors })
}
