import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../../src/platform/http/registry.ts'
import { visit } from '../test-browser.ts'
import { send, startTestGateway, type TestGateway } from '../test-gateway.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-site-'))
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Cairn</title>')
writeFileSync(join(folder, 'app.html'), '<!doctype html><title>Cairn</title>')
afterAll(() => rmSync(folder, { recursive: true }))

const SET: readonly (readonly [name: string, value: RegExp])[] = [
  ['content-security-policy', /default-src 'none'/],
  ['strict-transport-security', /^max-age=31536000; includeSubDomains$/],
  ['x-content-type-options', /^nosniff$/],
  ['referrer-policy', /same-origin|no-referrer/],
  ['cross-origin-opener-policy', /^same-origin$/],
  ['cross-origin-resource-policy', /^same-origin$/],
  ['x-frame-options', /^DENY$/],
]
const PATHS = [
  '/',
  '/manage/admin/users',
  '/nothing.js',
  '/api/docs',
  '/api/v1/openapi.json',
  '/healthz',
  '/readyz',
  '/api/v1/nothing',
]

/** Requests every endpoint and page without a session. Returns the missing headers. */
async function findMissingHeaders(
  gateway: TestGateway,
): Promise<{ wrong: string[]; asked: number }> {
  const calls = gateway.routes
    .filter(({ endpoint }) => endpoint.answers !== 'stream')
    .map(({ endpoint }) => ({
      method: endpoint.method as string,
      path: `/api/v1${endpoint.path.replace(/:\w+/g, '0123456789abcdefghjk')}`,
    }))
  const all = [...PATHS.map((path) => ({ method: 'GET', path })), ...calls]
  const wrong: string[] = []
  for (const { method, path } of all) {
    const response = await fetch(`${gateway.url}${path}`, { method })
    const body = await response.text()
    const lacks = listMissingHeaders(response.headers, path)
    const type = response.headers.get('content-type')
    const isNamed = hasCorrectContentType(type, body)
    const all = isNamed ? lacks : [...lacks, `content-type ${type}`]
    wrong.push(...all.map((lack) => `${method} ${path}: ${lack}`))
  }
  return { wrong, asked: all.length }
}

function listMissingHeaders(headers: Headers, path: string): readonly string[] {
  const lacks = SET.filter(([name, value]) => !value.test(headers.get(name) ?? '')).map(
    ([name]) => name,
  )
  const isApi = path.startsWith('/api/v1/') && !path.endsWith('openapi.json')
  const cache = headers.get('cache-control') ?? ''
  if (isApi && !/no-store|private/.test(cache)) lacks.push(`cache-control ${cache}`)
  for (const name of ['x-powered-by', 'access-control-allow-origin']) {
    if (headers.has(name)) lacks.push(`has ${name}`)
  }
  return lacks
}

/** True if the content type matches the body and states the character set. */
function hasCorrectContentType(type: string | null, body: string): boolean {
  if (body === '') return true
  if (type === 'text/html; charset=utf-8') return /^<!doctype html>/i.test(body)
  if (type !== 'application/json; charset=utf-8') return false
  try {
    return typeof JSON.parse(body) === 'object'
  } catch {
    return false
  }
}

/** Starts a gateway whose public address uses TLS. */
function startTlsGateway(alterRoute?: (route: Route) => Route): Promise<TestGateway> {
  return startTestGateway({
    webDist: folder,
    alterDeps: (deps) => ({ ...deps, publicUrl: 'https://gateway.test' }),
    ...(alterRoute === undefined ? {} : { alterRoute }),
  })
}

describe('T49 headers', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTlsGateway()
  })
  afterAll(() => gateway?.stop())

  test('are complete on every answer, of every call and of everything else', async () => {
    const { wrong, asked } = await findMissingHeaders(gateway)
    expect(wrong).toEqual([])
    expect(asked).toBeGreaterThan(100)
  })

  test('sabotaged twin: a page called JSON, JSON called a page and no character set are found', () => {
    const [page, json] = ['<!doctype html><title>Cairn</title>', '{"status":"fail"}']
    expect(hasCorrectContentType('application/json; charset=utf-8', page)).toBe(false)
    expect(hasCorrectContentType('text/html; charset=utf-8', json)).toBe(false)
    expect(hasCorrectContentType('application/json', json)).toBe(false)
    expect(hasCorrectContentType(null, json)).toBe(false)
  })

  test('forbid frames, plugins, foreign scripts and another base on a page', async () => {
    const response = await fetch(`${gateway.url}/`)
    const policy = response.headers.get('content-security-policy') ?? ''
    for (const part of [
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "script-src 'self'",
    ]) {
      expect(policy).toContain(part)
    }
    expect(policy).not.toMatch(/script-src[^;]*(unsafe-inline|unsafe-eval|https?:)/)
  })
})

describe('T49 their sabotaged twin, whose calls take each header away in turn', () => {
  let gateway: TestGateway
  let lost = ''
  beforeAll(async () => {
    gateway = await startTlsGateway((route) => ({
      ...route,
      handle: async (request, exchange) => {
        const answer = await route.handle(request, exchange)
        exchange.ctx.remove(lost)
        return answer
      },
    }))
  })
  afterAll(() => gateway?.stop())

  test('is caught for each', async () => {
    for (const [name] of SET) {
      lost = name
      const { wrong } = await findMissingHeaders(gateway)
      expect(wrong).toContain(`GET /api/v1/countries: ${name}`)
    }
  })
})

const ORIGINS = [
  'https://evil.example',
  'null',
  'http://gateway.test.evil.example',
  'http://gateway.test:81',
  'https://gateway.test',
  'http://evilgateway.test',
  'http://GATEWAY.TEST@evil.example',
  'http://gateway.test%00.evil.example',
  'http://gateway.test_.evil.example',
  'http://gateway_test',
  'http://xn--gateway-test',
  'http://evil.example/gateway.test',
  'http://sub.gateway.test',
  'file://',
  'http://127.0.0.1:1',
]

/** Returns the origins whose pages can read an answer or change data. */
async function findAllowedOrigins(gateway: TestGateway): Promise<readonly string[]> {
  const visitor = await visit(gateway, 'investor')
  const letIn: string[] = []
  for (const origin of ORIGINS) {
    const read = await fetch(`${gateway.url}/api/v1/users/me`, {
      headers: { origin, cookie: visitor.cookie },
    })
    await read.arrayBuffer()
    const allowed = [
      read.headers.get('access-control-allow-origin'),
      read.headers.get('access-control-allow-credentials'),
    ]
    const policy = read.headers.get('cross-origin-resource-policy')
    if (allowed.some((value) => value !== null) || policy !== 'same-origin') {
      letIn.push(`${origin} reads`)
    }
    // The token is valid, so only the Origin header shows that the request comes from a page of
    // another site.
    const changed = await send(gateway, visitor, {
      method: 'PUT',
      path: '/users/me/preferences',
      body: { marketUpdates: true },
      headers: { origin },
    })
    if (changed.status !== 403) letIn.push(`${origin} changes`)
  }
  return letIn
}

describe('T55 pages of other sites', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway?.stop())

  test('read nothing and change nothing, whatever origin they send', async () => {
    expect(ORIGINS.length).toBeGreaterThanOrEqual(15)
    expect(await findAllowedOrigins(gateway)).toEqual([])
  })
})

describe('T55 their sabotaged twin, which welcomes every origin', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({
      alterRoute: (route) => ({
        ...route,
        handle: (request, exchange) => {
          const { ctx } = exchange
          ctx.set('Access-Control-Allow-Origin', ctx.get('origin').replace(/[^\x20-\x7e]/g, ''))
          ctx.set('Access-Control-Allow-Credentials', 'true')
          return route.handle(request, exchange)
        },
      }),
    })
  })
  afterAll(() => gateway?.stop())

  test('is caught for each', async () => {
    const letIn = await findAllowedOrigins(gateway)
    expect(letIn).toEqual(expect.arrayContaining(ORIGINS.map((origin) => `${origin} reads`)))
  })
})
