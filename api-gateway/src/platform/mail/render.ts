import { escapeHtml, toMjml } from './layout.ts'
import type { MailEnding } from './mail-kind.ts'
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

/**
 * Maximum number of cached layouts. Each kind of mail has several layouts, because lines without a
 * value are omitted.
 */
const COMPILED_MAX = 300
/**
 * A path of this site with a token in the fragment. Browsers do not send the fragment to servers.
 */
const TOKEN_PATH = /^\/[A-Za-z/]+#token=[\w-]+$/
/** The mail server of the reader sends this token to the site, so it is not in the fragment. */
const UNSUBSCRIBE_LINK = /^\/unsubscribe\?token=[\w-]+$/
const compiled = new Map<string, Promise<string>>()

/** The parts of a mail that the gateway adds, because templates cannot contain them. */
export interface AddedParts {
  /** The label of the button to `{{siteUrl}}{{path}}`. */
  link?: { label: string }
  /** The end of the mail, with a link to `{{siteUrl}}{{unsubscribePath}}`. */
  ending?: MailEnding
}

/** Renders a mail. Values are escaped and inserted last, so that they cannot contain markup. */
export async function renderMail(
  template: MailText,
  values: Values,
  added: AddedParts = {},
): Promise<Mail> {
  const [first, ...others] = removeEmptyLines(parseMarkup(template.body), values)
  const link = added.link === undefined ? [] : [createLink(added.link.label, values)]
  const ending = added.ending === undefined ? [] : createEnding(added.ending, values)
  const blocks = [...(first === undefined ? [] : [first]), ...link, ...others, ...ending]
  const html = await compileCached(toMjml(blocks, template.subject))
  return {
    subject: toSingleLine(fillIn(template.subject, values)),
    text: toText(blocks, values),
    html: fillIn(html, values, (value) => escapeHtml(value).replaceAll('\n', '<br />')),
  }
}

/**
 * Creates the button. Its URL remains a placeholder, so that no token is in the cache of layouts.
 */
function createLink(label: string, { path = '' }: Values): Block {
  if (!TOKEN_PATH.test(path)) throw new Error('the link of a mail is not a path of this site')
  return { type: 'button', label, url: '{{siteUrl}}{{path}}' }
}

function createEnding({ text, linkLabel }: MailEnding, { unsubscribePath = '' }: Values): Block[] {
  if (!UNSUBSCRIBE_LINK.test(unsubscribePath)) {
    throw new Error('the link that switches off a mail is not a path of this site')
  }
  const link: Block = { type: 'link', label: linkLabel, url: '{{siteUrl}}{{unsubscribePath}}' }
  return text === null ? [link] : [{ type: 'paragraph', lines: [text] }, link]
}

function compileCached(source: string): Promise<string> {
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
  // The large package is loaded only for the first mail, because most processes never render a
  // mail.
  const { default: mjml2html } = await import('mjml')
  const { html, errors } = await mjml2html(source, {
    validationLevel: 'strict',
    keepComments: false,
  })
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  return html
}

function toText(blocks: readonly Block[], values: Values): string {
  const parts = ['Hello {{name}},', ...blocks.map(toPlainText), '{{siteName}}\n{{siteUrl}}']
  return `${fillIn(parts.join('\n\n'), values)}\n`
}

function toPlainText(block: Block): string {
  switch (block.type) {
    case 'paragraph':
      return block.lines.join('\n').replace(/\*\*([^*]+)\*\*/g, '$1')
    case 'code':
      return block.text
    case 'button':
    case 'link':
      return `${block.label}: ${block.url}`
    case 'facts':
      return block.facts.map(({ label, value }) => `${label}: ${value}`).join('\n')
  }
}

/** Removes line breaks, because a line break in a subject would start a new header. */
function toSingleLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
