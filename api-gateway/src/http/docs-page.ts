interface Media {
  schema?: unknown
  example?: unknown
}
interface Operation {
  operationId: string
  summary: string
  tags: readonly string[]
  'x-access': string
  'x-rate': string
  parameters?: readonly { name: string; in: string; required: boolean; schema: unknown }[]
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
 * The document as a page to read: plain HTML, because the ready-made viewers bring a megabyte of
 * script or report home. Everything in it is escaped.
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
    return `<section id="${slug(tag)}"><h2>${toHtml(tag)}</h2>${own.map(renderOperation).join('')}</section>`
  })
  const links = tags.map((tag) => `<li><a href="#${slug(tag)}">${toHtml(tag)}</a></li>`)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${toHtml(info.title)} API</title><style>${STYLE}</style></head>
<body><header><h1>${toHtml(info.title)} API</h1><p>${inline(info.description)}</p>
<p>${operations.length} calls. Machine-readable: <a href="/api/v1/openapi.json">openapi.json</a> (OpenAPI 3.1).</p></header>
<nav aria-label="Groups"><ul>${links.join('')}</ul></nav><main>${sections.join('')}</main></body></html>`
}

function renderOperation(call: { path: string; method: string; operation: Operation }): string {
  const { path, method, operation } = call
  const { parameters = [], requestBody, responses } = operation
  const rows = parameters.map(
    ({ name, in: place, required, schema }) =>
      `<tr><td><code>${toHtml(name)}</code></td><td>${place}</td><td>${required ? 'required' : ''}</td><td><code>${toHtml(typeOf(schema))}</code></td></tr>`,
  )
  const answers = Object.entries(responses).map(
    ([status, { description, content }]) =>
      `<li><b>${status}</b> ${inline(description)}${renderExample(content)}</li>`,
  )
  return `<details><summary><span class="m ${method}">${method.toUpperCase()}</span> <code>${toHtml(path)}</code> <span>${toHtml(operation.summary)}</span></summary>
<p>${toHtml(ACCESS[operation['x-access']] ?? operation['x-access'])}. Rate: ${toHtml(operation['x-rate'])}.</p>
${rows.length === 0 ? '' : `<table><thead><tr><th>Parameter</th><th>In</th><th></th><th>Type</th></tr></thead><tbody>${rows.join('')}</tbody></table>`}
${requestBody === undefined ? '' : `<h3>Content</h3><p>${Object.keys(requestBody.content).map(toHtml).join(', ')}</p>${renderExample(requestBody.content)}`}
<h3>Answers</h3><ul class="a">${answers.join('')}</ul></details>`
}

function renderExample(content: Record<string, Media> | undefined): string {
  const [media] = Object.values(content ?? {})
  if (media?.example === undefined) return ''
  return `<pre tabindex="0">${toHtml(JSON.stringify(media.example, null, 2))}</pre>`
}

function typeOf(schema: unknown): string {
  const { type, anyOf, enum: values, format } = schema as Record<string, unknown>
  if (Array.isArray(values)) return values.join(' | ')
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map(typeOf))].join(' | ')
  return String(format ?? type ?? 'any')
}

/** Backticks become code; the rest is text. */
function inline(text: string): string {
  return toHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

function slug(text: string): string {
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
td,th{text-align:left;padding:.25rem 1rem .25rem 0;border-bottom:1px solid var(--line)}ul.a{padding-left:1.2rem}`
