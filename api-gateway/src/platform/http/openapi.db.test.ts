import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'

interface Operation {
  operationId: string
  requestBody?: {
    content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>
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
    const route = gateway.routes.find(({ endpoint }) => {
      const templated = `/api/v1${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
      return templated === path && endpoint.method.toLowerCase() === method
    })
    const { body } = (route?.endpoint.request.shape ?? {}) as {
      body?: z.ZodType
    }
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
      const json = content['application/json']
      const hasOne = json?.example !== undefined || json?.examples !== undefined
      if (json !== undefined && !hasOne) refused.push(`${path} ${status}`)
    }
  }
  expect(refused).toEqual([])
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
