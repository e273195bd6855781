import {
  exportMailTemplates,
  listMailTemplates,
  type MailTemplate,
  previewMailTemplate,
  resetMailTemplate,
  saveMailTemplate,
  testMailTemplate,
} from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createNotFoundFailure, HttpFailure } from '../../platform/http/failure.ts'
import { type Columns, createListRoutes, toSinglePage } from '../../platform/http/list-export.ts'
import { declareRoute, type Exchange, getCaller, type Route } from '../../platform/http/registry.ts'
import {
  COMMON_SAMPLES,
  getSamples,
  isMailName,
  MAIL_KINDS,
  MAIL_NAMES,
  type MailName,
} from '../../platform/mail/mail-kinds.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { type MailText, renderMail } from '../../platform/mail/render.ts'
import { findProblems, readTemplate, toMailTemplate } from '../../platform/mail/template.ts'
import {
  isChangeNeeded,
  type RequestDependencies,
  requestChange,
} from '../change-requests/index.ts'
import { createTemplateChange, type TemplatePayload, writeTemplate } from './template-change.ts'

const COLUMNS: Columns<MailTemplate> = {
  Kind: ({ kind }) => kind,
  Title: ({ title }) => title,
  Subject: ({ subject }) => subject,
  Body: ({ body }) => body,
  Edited: ({ isEdited }) => isEdited,
  Optional: ({ canBeSwitchedOff }) => canBeSwitchedOff,
  Updated: ({ updatedAt }) => updatedAt,
}

const write = { rate: 'write', owner: 'any' } as const

export function createMailTemplateRoutes(
  deps: RequestDependencies & Pick<Dependencies, 'publicUrl' | 'settings'>,
): readonly Route[] {
  return [
    ...createListRoutes({
      list: listMailTemplates,
      read: async () => {
        const rows = await deps.db.selectFrom('platform.mail_template').selectAll().execute()
        const edited = new Map(rows.map((row) => [row.kind, row]))
        const templates = MAIL_NAMES.map((kind) => toMailTemplate(kind, edited.get(kind) ?? null))
        return { templates }
      },
      csv: {
        endpoint: exportMailTemplates,
        fileName: 'email-templates.csv',
        audit: 'template.export',
        columns: COLUMNS,
        toRequest: (request) => request,
        toPage: ({ templates }) => toSinglePage(templates),
      },
    }),
    createSaveRoute(deps),
    declareRoute(
      resetMailTemplate,
      { ...write, audit: 'template.reset' },
      async ({ params, body: { reason = null } }, exchange) => {
        const kind = parseName(params.kind)
        await makeChange(deps, exchange, { payload: { kind, text: null }, reason })
        return { template: toMailTemplate(kind, null) }
      },
    ),
    declareRoute(
      previewMailTemplate,
      { ...write, audit: null, needsFreshFactor: false },
      async ({ params, body }) => {
        const kind = parseName(params.kind)
        requireValidTemplate(kind, body)
        const { general } = await deps.settings.read()
        const site = { siteName: general.siteName, siteUrl: deps.publicUrl }
        const samples = { ...COMMON_SAMPLES, ...getSamples(kind), ...site }
        return { preview: await renderMail(body, samples, MAIL_KINDS[kind]) }
      },
    ),
    declareRoute(
      testMailTemplate,
      { ...write, audit: 'template.test', needsFreshFactor: false },
      async ({ params }, exchange) => {
        const kind = parseName(params.kind)
        const { userId } = getCaller(exchange)
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

function createSaveRoute(deps: RequestDependencies): Route {
  return declareRoute(
    saveMailTemplate,
    { ...write, audit: 'template.edit' },
    async ({ params, body: { reason = null, ...text } }, exchange) => {
      const kind = parseName(params.kind)
      requireValidTemplate(kind, text)
      await makeChange(deps, exchange, { payload: { kind, text }, reason })
      const updated = {
        updated_by: getCaller(exchange).userId,
        updated_at: new Date(exchange.nowMs),
      }
      return { template: toMailTemplate(kind, { kind, ...text, ...updated }) }
    },
  )
}

/**
 * Saves the text. If two administrators must approve the text, stores a change request and throws
 * 409. A text needs approval because readers follow the links in the text.
 */
async function makeChange(
  deps: RequestDependencies,
  exchange: Exchange,
  { payload, reason }: { payload: TemplatePayload; reason: string | null },
): Promise<void> {
  const { kind, text } = payload
  const definition = createTemplateChange()
  const { subject, body } = await readTemplate(deps.db, kind)
  const isSame = text !== null && text.subject === subject && text.body === body
  if (!isSame && (await isChangeNeeded(deps, definition))) {
    const fields = text === null ? [] : ['subject', 'body']
    const proposal = { payload, reason, fields, errors: 'list' } as const
    throw await requestChange(deps, exchange, { definition, proposal })
  }
  const { userId } = getCaller(exchange)
  await writeTemplate(deps.db, { kind, text, userId, nowMs: exchange.nowMs })
  exchange.note({ subject: kind, before: { subject, body }, after: text })
}

function parseName(kind: string): MailName {
  if (!isMailName(kind)) throw createNotFoundFailure('There is no such email')
  return kind
}

function requireValidTemplate(kind: MailName, text: MailText): void {
  const errors = findProblems(kind, text)
  const [first] = errors.flatMap((error) => Object.values(error))
  if (first !== undefined) throw new HttpFailure(400, 'INVALID', first, { errors })
}
