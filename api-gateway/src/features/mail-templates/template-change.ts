import { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { isMailName, MAIL_KINDS, type MailName } from '../../platform/mail/mail-kinds.ts'
import type { MailText } from '../../platform/mail/render.ts'
import { findProblems } from '../../platform/mail/template.ts'
import type { ChangeDefinition } from '../change-requests/index.ts'

const Text = z.strictObject({ subject: z.string(), body: z.string() })

/** The new text of a template; null restores the built-in text. */
const TemplatePayload = z.strictObject({
  kind: z
    .string()
    .refine(isMailName)
    .transform((name) => name as MailName),
  text: Text.nullable(),
})
export type TemplatePayload = z.infer<typeof TemplatePayload>

export function createTemplateChange(): ChangeDefinition<TemplatePayload> {
  return {
    kind: 'mail-template',
    payload: TemplatePayload,
    permission: { propose: 'templates.write', approve: 'templates.write' },
    isNeeded: 'with-dual-control',
    getTarget: ({ kind }) => kind,
    getTitle: ({ kind }) => `Email template: ${MAIL_KINDS[kind].title}`,
    getLink: () => '/manage/admin/templates',
    listBeneficiaries: () => [],
    readBefore: (db, { kind }) => readText(db, kind),
    describeChange: async ({ kind, text }, before) => {
      const old = Text.nullable().parse(before) ?? MAIL_KINDS[kind]
      const fresh = text ?? MAIL_KINDS[kind]
      const line = { type: 'text' as const }
      return [
        { ...line, label: 'Subject', before: old.subject, after: fresh.subject },
        { ...line, label: 'Text', before: old.body, after: fresh.body },
      ].filter((shown) => shown.before !== shown.after)
    },
    execute: async ({ trx, payload, createdBy, nowMs }) => {
      const { kind, text } = payload
      if (text !== null && findProblems(kind, text).length > 0) {
        throw new HttpFailure(409, 'CHANGE_FAILED', 'The text is no longer a valid template')
      }
      await writeTemplate(trx, { kind, text, userId: createdBy, nowMs })
    },
  }
}

/** Returns the stored text; null if the template has the built-in text. Locks its row. */
async function readText(db: Database, kind: MailName): Promise<MailText | null> {
  const row = await db
    .selectFrom('platform.mail_template')
    .select(['subject', 'body'])
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

export async function writeTemplate(
  db: Database,
  change: { kind: MailName; text: MailText | null; userId: string; nowMs: number },
): Promise<void> {
  const { kind, text, userId, nowMs } = change
  if (text === null) {
    await db.deleteFrom('platform.mail_template').where('kind', '=', kind).execute()
    return
  }
  const columns = {
    subject: text.subject,
    body: text.body,
    updated_by: userId,
    updated_at: new Date(nowMs),
  }
  await db
    .insertInto('platform.mail_template')
    .values({ kind, ...columns })
    .onConflict((conflict) => conflict.column('kind').doUpdateSet(columns))
    .execute()
}
