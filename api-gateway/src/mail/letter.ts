import { SITE_NAME } from '../settings/site.ts'

/** What a mail says, before it has a form. */
export interface Letter {
  subject: string
  paragraphs: readonly string[]
  /** Shown large and alone, to be typed elsewhere. */
  code?: string
  facts?: readonly (readonly [label: string, value: string])[]
  link?: { label: string; path: string }
}

/** As the withdrawal form names them. */
export const WALLET_NAMES = {
  balance: 'Wallet Balance',
  profit: 'Investment Profit',
  referral: 'Referral Earnings',
} as const

export interface Mail {
  subject: string
  text: string
  html: string
}

export function renderLetter(letter: Letter, reader: { name: string; publicUrl: string }): Mail {
  return {
    subject: singleLine(letter.subject),
    text: toText(letter, reader),
    html: toHtml(letter, reader),
  }
}

function toText(letter: Letter, { name, publicUrl }: { name: string; publicUrl: string }): string {
  const { paragraphs, code, facts = [], link } = letter
  const blocks = [
    `Hello ${name},`,
    ...paragraphs,
    ...(code === undefined ? [] : [code]),
    ...(facts.length === 0 ? [] : [facts.map(([label, value]) => `${label}: ${value}`).join('\n')]),
    ...(link === undefined ? [] : [`${link.label}: ${publicUrl}${link.path}`]),
    `${SITE_NAME}\n${publicUrl}`,
  ]
  return `${blocks.join('\n\n')}\n`
}

const PAGE = 'margin:0;padding:24px;background:#f3f4f1;color:#1d2420;'
const FONT = 'font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;'
const CARD = 'max-width:560px;margin:0 auto;padding:32px;background:#fff;border-radius:12px;'
const CODE = 'font:700 32px/1.2 ui-monospace,Menlo,monospace;letter-spacing:8px;margin:24px 0;'
const BUTTON =
  'display:inline-block;padding:12px 20px;background:#1f5f4a;color:#fff;border-radius:8px;text-decoration:none;'

function toHtml(letter: Letter, { name, publicUrl }: { name: string; publicUrl: string }): string {
  const { paragraphs, code, facts = [], link } = letter
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td style="padding:4px 16px 4px 0;color:#5b665f">${escapeHtml(label)}</td>` +
      `<td style="padding:4px 0"><strong>${escapeHtml(value)}</strong></td></tr>`,
  )
  const parts = [
    `<p style="margin:0 0 16px;font-weight:700;color:#1f5f4a">${escapeHtml(SITE_NAME)}</p>`,
    `<p>Hello ${escapeHtml(name)},</p>`,
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    code === undefined ? '' : `<p style="${CODE}">${escapeHtml(code)}</p>`,
    rows.length === 0 ? '' : `<table role="presentation">${rows.join('')}</table>`,
    link === undefined ? '' : toButton(link.label, `${publicUrl}${link.path}`),
  ]
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    `<title>${escapeHtml(letter.subject)}</title></head>` +
    `<body style="${escapeHtml(PAGE + FONT)}"><div style="${CARD}">${parts.join('\n')}</div></body></html>`
  )
}

function toButton(label: string, url: string): string {
  return `<p style="margin:24px 0 0"><a style="${BUTTON}" href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** A line break in a subject would begin another header. */
function singleLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

export function reasonLines(reason: string | null): readonly string[] {
  return reason === null ? [] : [`Reason: ${reason}`]
}
