/** A block of a mail. Its text can contain placeholders. */
export type Block =
  | { type: 'paragraph'; lines: readonly string[] }
  | { type: 'facts'; facts: readonly { label: string; value: string }[] }
  | { type: 'code'; text: string }
  | { type: 'button'; label: string; url: string }
  /** A small link at the end of a mail. Templates cannot contain it. */
  | { type: 'link'; label: string; url: string }

export type Values = Readonly<Record<string, string>>

const PLACEHOLDER = /\{\{\s*([A-Za-z]+)\s*\}\}/g
const FACT = /^- ([^:]{1,80}): (.+)$/
const CODE = /^# (.+)$/
const BUTTON = /^\[([^\]]{1,80})\]\((\{\{siteUrl\}\}(?:[/?#][^\s)]*)?)\)$/

/**
 * Parses the body of a template. Blank lines separate paragraphs; `- Label: value` is a row of a
 * table, `# text` is large text, and `[Label]({{siteUrl}}/path)` is a button with a link to this
 * site.
 */
export function parseMarkup(body: string): readonly Block[] {
  const paragraphs = body.replaceAll('\r\n', '\n').split(/\n{2,}/)
  return paragraphs.flatMap((paragraph) => {
    const lines = paragraph.split('\n').map((line) => line.trim())
    return parseParagraph(lines.filter((line) => line !== ''))
  })
}

function parseParagraph(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = []
  for (const line of lines) {
    const fact = FACT.exec(line)
    const last = blocks.at(-1)
    if (fact !== null) {
      const [, label = '', value = ''] = fact
      const facts = last?.type === 'facts' ? last.facts : []
      if (last?.type === 'facts') blocks.pop()
      blocks.push({ type: 'facts', facts: [...facts, { label, value }] })
      continue
    }
    const alone = parseAlone(line)
    if (alone !== null) blocks.push(alone)
    else if (last?.type === 'paragraph') {
      blocks.pop()
      blocks.push({ type: 'paragraph', lines: [...last.lines, line] })
    } else blocks.push({ type: 'paragraph', lines: [line] })
  }
  return blocks
}

function parseAlone(line: string): Block | null {
  const [, code] = CODE.exec(line) ?? []
  if (code !== undefined) return { type: 'code', text: code }
  const [, label, url] = BUTTON.exec(line) ?? []
  return label === undefined || url === undefined ? null : { type: 'button', label, url }
}

/** Removes each line that has a placeholder without a value. */
export function removeEmptyLines(blocks: readonly Block[], values: Values): readonly Block[] {
  const hasValue = (text: string) =>
    listPlaceholdersIn(text).every((name) => (values[name] ?? '') !== '')
  return blocks.flatMap((block) => keepFilledParts(block, hasValue))
}

function keepFilledParts(block: Block, isSaid: (text: string) => boolean): readonly Block[] {
  switch (block.type) {
    case 'paragraph': {
      const lines = block.lines.filter(isSaid)
      return lines.length === 0 ? [] : [{ ...block, lines }]
    }
    case 'facts': {
      const facts = block.facts.filter(({ value }) => isSaid(value))
      return facts.length === 0 ? [] : [{ ...block, facts }]
    }
    case 'code':
      return isSaid(block.text) ? [block] : []
    case 'button':
    case 'link':
      return isSaid(block.url) ? [block] : []
  }
}

export function listPlaceholdersIn(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name)
}

export function fillIn(text: string, values: Values, write = (value: string) => value): string {
  return text.replace(PLACEHOLDER, (_all, name: string) => write(values[name] ?? ''))
}
