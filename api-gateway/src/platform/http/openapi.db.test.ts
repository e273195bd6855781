import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { send, startTestGateway, type TestGateway, visitAs } from '../../../testing/test-gateway.ts'
import { describeRoutes } from './openapi.ts'
import type { Route } from './registry.ts'

interface Form {
  properties?: Record<string, unknown>
  required?: string[]
  oneOf?: Form[]
}

interface Operation {
  operationId: string
  'x-rate': string
  requestBody?: {
    content: Record<
      string,
      { schema?: Form; example?: unknown; examples?: Record<string, { value: unknown }> }
    >
  }
  responses: Record<
    string,
    { content?: Record<string, { example?: unknown; examples?: Record<string, unknown> }> }
  >
}

let gateway: TestGateway
let operations: { path: string; method: string; operation: Operation }[]
beforeAll(async () => {
  gateway = await startTestGateway()
  const response = await fetch(`${gateway.url}/api/v1/openapi.json`)
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, Operation>> }
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
})
afterAll(() => gateway?.stop())

const findRoute = (path: string, method: string): Route | undefined =>
  gateway.routes.find(({ endpoint }) => {
    const templated = `/api/v1${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
    return templated === path && endpoint.method.toLowerCase() === method
  })

function findBody(path: string, method: string): z.ZodType | undefined {
  // The cast is safe because each part of a request is a schema.
  const { body } = (findRoute(path, method)?.endpoint.request.shape ?? {}) as { body?: z.ZodType }
  return body
}

test('every route is in the document, under its own name', () => {
  const declared = gateway.routes.map(
    ({ endpoint }) =>
      `${endpoint.method.toLowerCase()} /api/v1${endpoint.path.replace(/:(\w+)/g, '{$1}')}`,
  )
  const documented = operations.map(({ method, path }) => `${method} ${path}`)
  expect(documented.toSorted()).toEqual(declared.toSorted())
  const names = operations.map(({ operation }) => operation.operationId)
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => name.includes(' '))).toEqual([])
})

test('every request and answer has an example, and the endpoints accept the examples', () => {
  const refused: string[] = []
  for (const { path, method, operation } of operations) {
    const route = findRoute(path, method)
    const body = findBody(path, method)
    if (body !== undefined) {
      const [media] = Object.values(operation.requestBody?.content ?? {})
      const many = Object.values(media?.examples ?? {}).map(({ value }) => value)
      for (const value of media?.example === undefined ? many : [media.example]) {
        const example = { ...(value as object) } as Record<string, unknown>
        if (route?.endpoint.upload) delete example[route.endpoint.upload.field]
        const parsed = body.safeParse(example)
        if (!parsed.success) refused.push(`${method} ${path}: ${z.prettifyError(parsed.error)}`)
      }
      if (media?.example === undefined && many.length === 0) refused.push(`${method} ${path}`)
    }
    for (const [status, { content = {} }] of Object.entries(operation.responses)) {
      // A JSON file has no example.
      if (route?.endpoint.answers === 'file' && status === '200') continue
      const json = content['application/json']
      const hasOne = json?.example !== undefined || json?.examples !== undefined
      if (json !== undefined && !hasOne) refused.push(`${path} ${status}`)
    }
  }
  expect(refused).toEqual([])
})

test('the document of a form with a file requires this file', () => {
  const missing: string[] = []
  for (const { path, method, operation } of operations) {
    const field = findRoute(path, method)?.endpoint.upload?.field
    const form = operation.requestBody?.content['multipart/form-data']?.schema
    if (field === undefined || form === undefined) continue
    const [first = form] = form.oneOf ?? []
    const isNamed = first.properties !== undefined && field in first.properties
    if (!isNamed || first.required?.includes(field) !== true) missing.push(path)
  }
  expect(missing).toEqual([])
})

test('a form of texts is accepted where the document names a form', () => {
  const refused: string[] = []
  for (const { path, method, operation } of operations) {
    const form = operation.requestBody?.content['application/x-www-form-urlencoded']?.example
    const body = findBody(path, method)
    if (form === undefined || body === undefined) continue
    // A form has no lists and objects. Null stands for a field that a form leaves empty or out.
    const values = Object.entries(form as object).filter(([, value]) => value !== null)
    if (values.some(([, value]) => typeof value === 'object')) continue
    const texts = Object.fromEntries(values.map(([name, value]) => [name, String(value)]))
    const parsed = body.safeParse(texts)
    if (!parsed.success) refused.push(`${method} ${path}: ${z.prettifyError(parsed.error)}`)
  }
  expect(refused).toEqual([])
})

test('the document names the media types with which files are answered', async () => {
  const isFile = ({ endpoint }: Route) => endpoint.answers === 'file'
  const untyped = gateway.routes.filter(
    (route) => isFile(route) && route.endpoint.fileTypes.length === 0,
  )
  expect(untyped).toEqual([])
  const [admin, investor] = [await visitAs(gateway, 'admin'), await visitAs(gateway, 'investor')]
  for (const [visitor, path] of [
    [admin, '/admin/audit.jsonl'],
    [admin, '/admin/faqs.csv'],
    [investor, '/users/me/data.json'],
    [investor, '/users/me/banks.csv'],
  ] as const) {
    const { status, headers } = await send(gateway, visitor, { method: 'GET', path })
    const [type = ''] = (headers.get('content-type') ?? '').split(';')
    const documented = operations.find((one) => one.path === `/api/v1${path}`)
    const { content = {} } = documented?.operation.responses[200] ?? {}
    expect([path, status, Object.keys(content)]).toEqual([path, 200, [type]])
  }
})

test('the document names the limit of callers without a session', () => {
  const readRate = (path: string) =>
    operations.find((one) => one.path === `/api/v1${path}` && one.method === 'get')?.operation[
      'x-rate'
    ]
  expect(readRate('/countries')).toBe(
    'read, 1200 in a minute; without a session 600 in a minute for each address',
  )
  expect(readRate('/users')).toBe('read, 1200 in a minute')
})

test.each([
  [false, 'sid'],
  [true, '__Host-sid'],
])('the document names the cookie of the session: TLS %s, %s', (isSecure, name) => {
  const { components } = describeRoutes([], { title: 'A site', path: '/api/v1', isSecure })
  expect(components).toMatchObject({ securitySchemes: { session: { name } } })
})

test('no undocumented path below the API answers', async () => {
  const tries = ['/api/v1', '/api/v1/', '/api/v1/user', '/api/v2/plans', '/api/v1/%2e%2e/plans']
  for (const { path } of operations) tries.push(`${path.replace(/\{\w+\}/g, 'x')}/no/such/thing`)
  for (const path of tries) {
    const response = await fetch(`${gateway.url}${path}`)
    expect({ path, status: response.status }).toEqual({ path, status: 404 })
  }
})

test('the document can be read as a page without any script', async () => {
  const response = await fetch(`${gateway.url}/api/docs`)
  const page = await response.text()
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page).not.toMatch(/<script|javascript:|\son\w+=/i)
  for (const { path } of operations) expect(page).toContain(path)
  // A failure that only one endpoint has is shown at that endpoint. A failure that many endpoints
  // have is shown only once on the page.
  expect(page).toContain('<code>409 SECOND_<wbr>APPROVER_<wbr>NEEDED</code>')
  expect(page).toContain('<td>There is no such plan</td>')
  expect(page.split('<td>You must login first</td>')).toHaveLength(2)
})
