import type { Block } from './markup.ts'

const INK = '#1d2420'
const QUIET = '#5b665f'
const ACCENT = '#0e5c4a'
const PAPER = '#f3f4f1'
const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/**
 * Converts a mail to MJML. The placeholders remain, so that one compiled layout is used for all
 * recipients.
 */
export function toMjml(blocks: readonly Block[], subject: string): string {
  return `<mjml lang="en">
  <mj-head>
    <mj-title>${escapeHtml(subject)}</mj-title>
    <mj-attributes>
      <mj-all font-family="${FONT}" />
      <mj-text font-size="16px" line-height="24px" color="${INK}" padding="8px 32px" />
    </mj-attributes>
  </mj-head>
  <mj-body width="600px" background-color="${PAPER}">
    <mj-section padding="24px 0 8px"><mj-column>
      <mj-text font-size="20px" font-weight="700" color="${ACCENT}">{{siteName}}</mj-text>
    </mj-column></mj-section>
    <mj-section background-color="#ffffff" border-radius="12px" padding="24px 0"><mj-column>
      <mj-text>Hello {{name}},</mj-text>
      ${blocks.map(toTag).join('\n      ')}
    </mj-column></mj-section>
    <mj-section padding="8px 0 24px"><mj-column>
      <mj-text font-size="13px" line-height="20px" color="${QUIET}">{{siteName}} &middot; <a href="{{siteUrl}}" style="color:${QUIET}">{{siteUrl}}</a></mj-text>
    </mj-column></mj-section>
  </mj-body>
</mjml>`
}

function toTag(block: Block): string {
  switch (block.type) {
    case 'paragraph':
      return `<mj-text>${block.lines.map(toInline).join('<br />')}</mj-text>`
    case 'code':
      return `<mj-text font-size="34px" line-height="44px" font-weight="700" letter-spacing="8px">${escapeHtml(block.text)}</mj-text>`
    case 'button':
      return `<mj-button href="${escapeHtml(block.url)}" background-color="${ACCENT}" color="#ffffff" border-radius="8px" align="left" font-size="16px" inner-padding="12px 20px" padding="16px 32px 8px">${escapeHtml(block.label)}</mj-button>`
    case 'link':
      return `<mj-text font-size="13px" line-height="20px" color="${QUIET}"><a href="${escapeHtml(block.url)}" style="color:${QUIET}">${escapeHtml(block.label)}</a></mj-text>`
    case 'facts': {
      const rows = block.facts.map(
        ({ label, value }) =>
          `<tr><td style="padding:4px 16px 4px 0;color:${QUIET};vertical-align:top">${escapeHtml(label)}</td>` +
          `<td style="padding:4px 0;font-weight:600">${escapeHtml(value)}</td></tr>`,
      )
      return `<mj-table width="auto" font-size="16px" line-height="24px" color="${INK}" padding="8px 32px">${rows.join('')}</mj-table>`
    }
  }
}

/** Converts `**text**` to bold. There is no other inline markup. */
function toInline(line: string): string {
  return escapeHtml(line).replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
