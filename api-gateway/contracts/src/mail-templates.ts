import { z } from 'zod'
import { CHANGE_FAILURES, changeReason, changeReasonBody } from './change-failures.ts'
import { declareCsvEndpoint, declareEndpoint } from './endpoint.ts'
import { declareNotFound, LEDGER_QUERY_FAILURES } from './failures.ts'
import { createRequiredTextField, Instant } from './fields.ts'

/**
 * The template of a mail. In its body, blank lines separate paragraphs; `- Label: text` is a row of
 * a table, `# text` is large text on its own line, `[Label]({{siteUrl}}/path)` is a button,
 * `**text**` is bold. A line whose placeholder has no value is omitted.
 */
export const MailTemplate = z.object({
  kind: z.string(),
  title: z.string(),
  subject: z.string(),
  body: z.string(),
  isEdited: z.boolean(),
  placeholders: z.array(
    z.object({ name: z.string(), sample: z.string(), isRequired: z.boolean() }),
  ),
  /** True if an investor can switch this mail off in the preferences. */
  canBeSwitchedOff: z.boolean(),
  updatedBy: z.string().nullable(),
  updatedAt: Instant.nullable(),
})
export type MailTemplate = z.infer<typeof MailTemplate>

const kind = z.strictObject({ kind: z.string().regex(/^[a-z-]{1,40}$/, 'There is no such email') })
const text = z.strictObject({
  subject: createRequiredTextField('Subject', 200),
  body: z
    .string('Body is required')
    .trim()
    .min(1, 'Body is required')
    .max(5_000, 'Body must be at most 5000 characters')
    .regex(/^[^\p{Cs}\0]*$/u, 'Body has characters that cannot be stored'),
})
const one = z.object({ template: MailTemplate })

export const listMailTemplates = declareEndpoint({
  method: 'GET',
  path: '/admin/templates',
  permission: 'templates.read',
  response: z.object({ templates: z.array(MailTemplate) }),
})

/**
 * Saves a template. Unknown placeholders, missing required placeholders and links to a host other
 * than this site are refused.
 */
export const saveMailTemplate = declareEndpoint({
  method: 'PUT',
  path: '/admin/templates/:kind',
  permission: 'templates.write',
  request: z.strictObject({ params: kind, body: text.extend(changeReason) }),
  response: one,
  failures: [declareNotFound('email'), ...CHANGE_FAILURES, ...LEDGER_QUERY_FAILURES],
})

/** Restores the built-in text of a mail. */
export const resetMailTemplate = declareEndpoint({
  method: 'DELETE',
  path: '/admin/templates/:kind',
  permission: 'templates.write',
  request: z.strictObject({ params: kind, body: changeReasonBody }),
  response: one,
  failures: [declareNotFound('email'), ...CHANGE_FAILURES, ...LEDGER_QUERY_FAILURES],
})

/**
 * Returns the mail with sample values, without saving it. Show the HTML only in a sandboxed frame.
 */
export const previewMailTemplate = declareEndpoint({
  method: 'POST',
  path: '/admin/templates/:kind/preview',
  permission: 'templates.write',
  request: z.strictObject({ params: kind, body: text }),
  response: z.object({
    preview: z.object({ subject: z.string(), html: z.string(), text: z.string() }),
  }),
  failures: [declareNotFound('email')],
})

/** Sends the saved template with sample values to the calling administrator. */
export const testMailTemplate = declareEndpoint({
  method: 'POST',
  path: '/admin/templates/:kind/test',
  permission: 'templates.write',
  request: z.strictObject({ params: kind }),
  response: z.object({ sentTo: z.string() }),
  failures: [declareNotFound('email')],
})

export const exportMailTemplates = declareCsvEndpoint({
  path: '/admin/templates.csv',
  permission: 'templates.read',
})
