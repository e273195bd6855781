import type { MailTemplate } from '@cairn/gateway-contracts'
import type { Database } from '../database/database.ts'
import { COMMON_SAMPLES, MAIL_KINDS, type MailName } from './mail-kinds.ts'
import { listPlaceholdersIn, parseMarkup } from './markup.ts'
import type { MailText } from './render.ts'
import { findForeignLink } from './template-links.ts'

/**
 * Returns the template that an administrator saved. If there is no saved template, returns the
 * built-in template.
 */
export async function readTemplate(db: Database, kind: MailName): Promise<MailText> {
  const row = await db
    .selectFrom('platform.mail_template')
    .select(['subject', 'body'])
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row ?? MAIL_KINDS[kind]
}

/** Maximum length of a link in an error message, so that the message fits on one line. */
const LINK_SHOWN_MAX = 80

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
    canBeSwitchedOff: builtIn.preference !== undefined,
    updatedBy: edited?.updated_by ?? null,
    updatedAt: edited?.updated_at.toISOString() ?? null,
  }
}

/**
 * Returns the template for sending. If the stored template fails a check, returns the built-in
 * template. A stored template can fail a check that did not exist when the template was saved.
 */
export async function readSafeTemplate(db: Database, kind: MailName): Promise<MailText> {
  const template = await readTemplate(db, kind)
  return findProblems(kind, template).length === 0 ? template : MAIL_KINDS[kind]
}

/** Returns the errors of a template, each with its field. */
export function findProblems(
  kind: MailName,
  { subject, body }: MailText,
): Record<string, string>[] {
  const { samples, required = [] } = MAIL_KINDS[kind]
  const known = new Set([...Object.keys(samples), ...Object.keys(COMMON_SAMPLES)])
  const problems: Record<string, string>[] = []
  for (const [field, text] of [
    ['subject', subject],
    ['body', body],
  ] as const) {
    const unknown = listPlaceholdersIn(text).filter((name) => !known.has(name))
    const foreign = findForeignLink(text)
    const stray = text.replace(/\{\{\s*[A-Za-z]+\s*\}\}/g, '').match(/\{\{|\}\}/)
    if (unknown.length > 0) {
      problems.push({ [field]: `{{${unknown[0]}}} is not a placeholder of this email` })
    } else if (stray !== null) {
      problems.push({ [field]: 'A placeholder is a name in double braces, like {{name}}' })
    } else if (foreign !== null) {
      const link = foreign.slice(0, LINK_SHOWN_MAX)
      const message = `Links may lead only to this site: write {{siteUrl}}/page, not ${link}`
      problems.push({ [field]: message })
    }
  }
  if (problems.length > 0) return problems
  const missing = required.find((name) => !listPlaceholdersIn(body).includes(name))
  if (missing !== undefined) return [{ body: `This email must contain {{${missing}}}` }]
  if (parseMarkup(body).length === 0) return [{ body: 'Body is required' }]
  return []
}
