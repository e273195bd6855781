import { escapeHtml, toMjml } from './layout.ts'
import { type Block, fillIn, parseMarkup, removeEmptyLines, type Values } from './markup.ts'

export interface MailText {
  subject: string
  body: string
}

export interface Mail {
  subject: string
  text: string
  html: string
}

/** Bound of the cache: each kind has a few layouts, because lines without a value are left out. */
const COMPILED_MAX = 300
const compiled = new Map<string, Promise<string>>()

/** Values are escaped and inserted last, so they cannot contain markup. */
export async function renderMail(template: MailText, values: Values): Promise<Mail> {
  const blocks = removeEmptyLines(parseMarkup(template.body), values)
  const html = await compile(toMjml(blocks, template.subject))
  return {
    subject: toSingleLine(fillIn(template.subject, values)),
    text: toText(blocks, values),
    html: fillIn(html, values, (value) => escapeHtml(value).replaceAll('\n', '<br />')),
  }
}

function compile(source: string): Promise<string> {
  const known = compiled.get(source)
  if (known !== undefined) return known
  const compiling = compileMjml(source)
  const [oldest] = compiled.keys()
  if (compiled.size >= COMPILED_MAX && oldest !== undefined) compiled.delete(oldest)
  compiled.set(source, compiling)
  compiling.catch(() => compiled.delete(source))
  return compiling
}

async function compileMjml(source: string): Promise<string> {
  // The package is large, and most processes never render a mail.
  const { default: mjml2html } = await import('mjml')
  const { html, errors } = await mjml2html(source, {
    validationLevel: 'strict',
    keepComments: false,
  })
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  return html
}

function toText(blocks: readonly Block[], values: Values): string {
  const parts = ['Hello {{name}},', ...blocks.map(toPlain), '{{siteName}}\n{{siteUrl}}']
  return `${fillIn(parts.join('\n\n'), values)}\n`
}

function toPlain(block: Block): string {
  switch (block.type) {
    case 'paragraph':
      return block.lines.join('\n').replace(/\*\*([^*]+)\*\*/g, '$1')
    case 'code':
      return block.text
    case 'button':
      return `${block.label}: ${block.url}`
    case 'facts':
      return block.facts.map(({ label, value }) => `${label}: ${value}`).join('\n')
  }
}

/** A line break in a subject would start another header. */
function toSingleLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
