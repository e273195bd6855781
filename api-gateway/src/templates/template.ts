import type { MailTemplate } from '@cairn/gateway-contracts'
import type { Database } from '../database/database.ts'
import { COMMON_SAMPLES, MAIL_KINDS, type MailName } from '../mail/mail-kinds.ts'
import { parseMarkup, placeholdersIn } from '../mail/markup.ts'
import type { MailText } from '../mail/render.ts'

/** What an administrator wrote, else what is built in. */
export async function readTemplate(db: Database, kind: MailName): Promise<MailText> {
  const row = await db
    .selectFrom('platform.mail_template')
    .select(['subject', 'body'])
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row ?? MAIL_KINDS[kind]
}

export interface EditedTemplate extends MailText {
  kind: string
  updated_by: string
  updated_at: Date
}

export function toMailTemplate(kind: MailName, edited: EditedTemplate | null): MailTemplate {
  const builtIn = MAIL_KINDS[kind]
  const { subject, body } = edited ?? builtIn
  const samples = { ...builtIn.samples, ...COMMON_SAMPLES }
  return {
    kind,
    title: builtIn.title,
    subject,
    body,
    isEdited: edited !== null,
    placeholders: Object.entries(samples).map(([name, sample]) => ({
      name,
      sample,
      isRequired: builtIn.required?.includes(name) ?? false,
    })),
    canBeSwitchedOff: builtIn.wish !== undefined,
    updatedBy: edited?.updated_by ?? null,
    updatedAt: edited?.updated_at.toISOString() ?? null,
  }
}

/** What is wrong with it, by field; nothing else about it could do harm. */
export function problemsOf(kind: MailName, { subject, body }: MailText): Record<string, string>[] {
  const { samples, required = [] } = MAIL_KINDS[kind]
  const known = new Set([...Object.keys(samples), ...Object.keys(COMMON_SAMPLES)])
  const problems: Record<string, string>[] = []
  for (const [field, text] of [
    ['subject', subject],
    ['body', body],
  ] as const) {
    const unknown = placeholdersIn(text).filter((name) => !known.has(name))
    const stray = text.replace(/\{\{\s*[A-Za-z]+\s*\}\}/g, '').match(/\{\{|\}\}/)
    if (unknown.length > 0) {
      problems.push({ [field]: `There is no {{${unknown[0]}}} in this mail` })
    } else if (stray !== null) {
      problems.push({ [field]: 'A placeholder is a name in double braces, like {{name}}' })
    }
  }
  if (problems.length > 0) return problems
  const missing = required.find((name) => !placeholdersIn(body).includes(name))
  if (missing !== undefined) return [{ body: `Without {{${missing}}} this mail is of no use` }]
  if (parseMarkup(body).length === 0) return [{ body: 'Body is required' }]
  return []
}
