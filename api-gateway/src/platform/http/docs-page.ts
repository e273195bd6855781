interface Failure {
  message: string
  code: string
}
interface Media {
  schema?: unknown
  example?: unknown
  examples?: Record<string, { value: Failure }>
}
interface Operation {
  operationId: string
  summary: string
  tags: readonly string[]
  'x-access': string
  'x-permission'?: string
  'x-rate': string
  'x-common-failures': readonly string[]
  parameters?: readonly {
    name: string
    in: string
    required: boolean
    description?: string
    schema: unknown
  }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { description: string; content?: Record<string, Media> }>
}

const ACCESS: Readonly<Record<string, string>> = {
  anyone: 'Anyone',
  arriving: 'Signed in, also before the second factor is set up',
  session: 'Signed in',
  user: 'Investors, also before their approval',
  investor: 'Approved investors',
  admin: 'Administrators',
}

/**
 * Renders the OpenAPI document as plain HTML, without scripts and without requests to other hosts.
 * All content is escaped.
 */
export function renderDocs(document: Record<string, unknown>): string {
  const { info, paths } = document as unknown as {
    info: { title: string; description: string }
    paths: Record<string, Record<string, Operation>>
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))].toSorted()
  const sections = tags.map((tag) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(tag))
    return `<section id="${toSlug(tag)}"><h2>${toHtml(tag)}</h2>${own.map(renderOperation).join('')}</section>`
  })
  const links = [...tags, COMMON].map(
    (tag) => `<li><a href="#${toSlug(tag)}">${toHtml(tag)}</a></li>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${toHtml(info.title)} API</title><style>${STYLE}</style></head>
<body><header><h1>${toHtml(info.title)} API</h1>${info.description
    .split('\n\n')
    .map((paragraph) => `<p>${toInlineHtml(paragraph)}</p>`)
    .join('')}
<p>${operations.length} calls. Machine-readable: <a href="/api/v1/openapi.json">openapi.json</a> (OpenAPI 3.1).</p></header>
<nav aria-label="Groups"><ul>${links.join('')}</ul></nav><main>${sections.join('')}${renderCommonFailures(operations)}</main></body></html>`
}

function renderOperation(call: { path: string; method: string; operation: Operation }): string {
  const { path, method, operation } = call
  const { parameters = [], requestBody, responses } = operation
  const rows = parameters.map(
    ({ name, in: place, required, schema, description = '' }) =>
      `<tr><td><code>${toHtml(name)}</code></td><td>${place}</td><td>${required ? 'required' : ''}</td><td><code>${toHtml(describeType(schema))}</code> ${toInlineHtml(description)}</td></tr>`,
  )
  const [answer] = Object.entries(responses).filter(([status]) => Number(status) < 400)
  return `<details><summary><span class="m ${method}">${method.toUpperCase()}</span> <code>${toHtml(path)}</code> <span>${toHtml(operation.summary)}</span></summary>
<p>${toHtml(describeAccess(operation))}. Rate: ${toHtml(operation['x-rate'])}.</p>
${rows.length === 0 ? '' : `<table><thead><tr><th>Parameter</th><th>In</th><th></th><th>Type</th></tr></thead><tbody>${rows.join('')}</tbody></table>`}
${requestBody === undefined ? '' : `<h3>Content</h3><p>${Object.keys(requestBody.content).map(toHtml).join(', ')}</p>${renderExample(requestBody.content)}`}
${answer === undefined ? '' : `<h3>${answer[0]} ${toInlineHtml(answer[1].description)}</h3>${renderExample(answer[1].content)}`}
${renderFailures(operation)}</details>`
}

function describeAccess({ 'x-access': access, 'x-permission': permission }: Operation): string {
  const who = ACCESS[access] ?? access
  if (permission === undefined) return who
  const isForAdmins = access === 'admin'
  return `${who}${isForAdmins ? '' : '; administrators'} with the permission ${permission}`
}

const COMMON = 'Errors that many calls return'

/**
 * Renders the failures of the endpoint with their messages. Failures that many endpoints have are
 * listed by code only.
 */
function renderFailures(operation: Operation): string {
  const common = operation['x-common-failures']
  const own = listFailures(operation).filter((failure) => !common.includes(toOneLine(failure)))
  const names = new Set(common.map((line) => line.slice(0, line.indexOf(':'))))
  const codes = [...names].map((name) => `<code>${toBreakableHtml(name)}</code>`)
  return `<h3>Failures</h3>${own.length === 0 ? '' : `<table>${own.map(renderFailure).join('')}</table>`}
<p><a href="#${toSlug(COMMON)}">${COMMON}</a>: ${codes.join(', ')}.</p>`
}

interface Named extends Failure {
  /** The status and the code, for example `409 TRANSACTION_DECIDED`. */
  name: string
}

function listFailures({ responses }: Operation): readonly Named[] {
  return Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.values(content['application/json']?.examples ?? {}).map(({ value }) => {
      return { ...value, name: `${status} ${value.code}` }
    }),
  )
}

function renderFailure({ name, message }: Named): string {
  return `<tr><td><code>${toBreakableHtml(name)}</code></td><td>${toHtml(message)}</td></tr>`
}

const toOneLine = ({ name, message }: Named) => `${name}: ${message}`
/** Allows line breaks after underscores, because codes can be long. */
const toBreakableHtml = (name: string) => toHtml(name).replaceAll('_', '_<wbr>')

function renderCommonFailures(operations: readonly { operation: Operation }[]): string {
  const rows = operations.flatMap(({ operation }) => {
    const common = operation['x-common-failures']
    return listFailures(operation).filter((failure) => common.includes(toOneLine(failure)))
  })
  const texts = new Set(rows.toSorted(compareNames).map(renderFailure))
  return `<section id="${toSlug(COMMON)}"><h2>${COMMON}</h2><table>${[...texts].join('')}</table>
<p>Example of an answer with status 409:</p>${renderExample({ any: { example: EXAMPLE } })}</section>`
}

const compareNames = (left: Named, right: Named) => left.name.localeCompare(right.name)
const EXAMPLE = {
  status: 'fail',
  message: 'Another administrator must also approve this change',
  code: 'SECOND_APPROVER_NEEDED',
  requestId: '1f0e7c5a-3a52-4c5e-9a57-2b8a6f6f3c11',
}

function renderExample(content: Record<string, Media> | undefined): string {
  const [media] = Object.values(content ?? {})
  const values = Object.values(media?.examples ?? {}).map(({ value }): unknown => value)
  const shown = media?.example === undefined ? values : [media.example]
  const blocks = shown.map(
    (example) => `<pre tabindex="0">${toHtml(JSON.stringify(example, null, 2))}</pre>`,
  )
  return blocks.join('<p>or</p>')
}

function describeType(schema: unknown): string {
  const { type, anyOf, enum: values, format } = schema as Record<string, unknown>
  if (Array.isArray(values)) return values.join(' | ')
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map(describeType))].join(' | ')
  return String(format ?? type ?? 'any')
}

/** Converts backticks to code and double asterisks to bold text. Everything else is escaped. */
function toInlineHtml(text: string): string {
  return toHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
}

function toSlug(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}

function toHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}

const STYLE = `
:root{color-scheme:light dark;--ink:#16181d;--paper:#fbfaf7;--line:#d9d6cd;--accent:#0e5c4a;--soft:#f1efe8}
@media(prefers-color-scheme:dark){:root{--ink:#f1efe8;--paper:#0f1115;--line:#333842;--accent:#4fb79a;--soft:#181b21}}
body{margin:0 auto;max-width:64rem;padding:2rem 1rem;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
a{color:var(--accent)}h1{font-size:1.75rem}h2{margin-top:2.5rem;border-bottom:1px solid var(--line);text-transform:capitalize}h3{font-size:1rem;margin-bottom:0}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:0;list-style:none}details{border-bottom:1px solid var(--line)}
summary{cursor:pointer;padding:.6rem 0;overflow-wrap:anywhere}summary span:last-child{color:color-mix(in srgb,var(--ink) 70%,var(--paper))}
.m{display:inline-block;min-width:4rem;font-weight:700;color:var(--accent)}code,pre{font:14px/1.5 ui-monospace,Menlo,monospace}
pre{overflow:auto;max-height:24rem;padding:1rem;background:var(--soft);border-radius:10px}table{border-collapse:collapse;width:100%}
td,th{text-align:left;vertical-align:top;overflow-wrap:anywhere;padding:.25rem 1rem .25rem 0;border-bottom:1px solid var(--line)}td:first-child{width:40%}`
