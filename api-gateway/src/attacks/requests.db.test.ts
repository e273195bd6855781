import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addUser,
  openVisit,
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
} from '../testing/test-gateway.ts'

const SLOW_SOCKETS = 500

let folder: string
let gateway: TestGateway
let visitor: Visitor
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-site-'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Cairn</title>')
  gateway = await startTestGateway({ webDist: folder })
  visitor = await openVisit(gateway, await addUser(gateway, { role: 'user', status: 'active' }))
})
afterAll(async () => {
  await gateway?.stop()
  rmSync(folder, { recursive: true })
})

function open(): Socket {
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  return socket
}

/** Bytes as they are, and whatever comes back until the server ends it or has said one answer. */
async function raw(
  text: string | Buffer,
): Promise<{ statuses: number[]; tookMs: number; body: string }> {
  const socket = open()
  let answer = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    answer += chunk
  })
  const began = performance.now()
  socket.write(text)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await Promise.race([closed, delay(1_000)])
  socket.destroy()
  const statuses = [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))
  return { statuses, tookMs: performance.now() - began, body: answer }
}

describe('T32 paths that lead elsewhere', () => {
  const up = [
    '..',
    '%2e%2e',
    '%2e%2e%2f',
    '..%2f',
    '..%5c',
    '%252e%252e',
    '....//',
    '..;',
    '%c0%ae%c0%ae',
    '..%00',
  ]
  const targets = ['etc/passwd', 'package.json', '.data/secrets/session', 'src/serve.ts']
  const bases = ['/', '/assets/', '/api/v1/transactions/', '/api/v1/users/']

  test('find nothing, whoever asks', async () => {
    const wrong: string[] = []
    let tried = 0
    for (const base of bases) {
      for (const step of up) {
        for (const target of targets) {
          const path = `${base}${`${step}/`.repeat(4)}${target}`
          tried += 1
          const { statuses, body } = await raw(
            `GET ${path} HTTP/1.1\r\nhost: x\r\ncookie: ${visitor.cookie}\r\nconnection: close\r\n\r\n`,
          )
          const leaked = /root:x:0|"dependencies"|createGateway/.test(body)
          const [status = 0] = statuses
          // A path that looks like a page of the site is the page, and nothing else.
          const isPage = status === 200 && body.includes('<title>Cairn</title>')
          if (leaked || (!isPage && ![400, 401, 404].includes(status)))
            wrong.push(`${path} ${status}`)
        }
      }
    }
    expect(tried).toBeGreaterThanOrEqual(60)
    expect(wrong).toEqual([])
  }, 60_000)
})

describe('T49 headers', () => {
  const SET: readonly (readonly [name: string, value: RegExp])[] = [
    ['content-security-policy', /default-src 'none'/],
    ['x-content-type-options', /^nosniff$/],
    ['referrer-policy', /same-origin|no-referrer/],
    ['cross-origin-opener-policy', /^same-origin$/],
    ['cross-origin-resource-policy', /^same-origin$/],
    ['x-frame-options', /^DENY$/],
  ]
  const paths = [
    '/',
    '/manage/admin/users',
    '/nothing.js',
    '/api/docs',
    '/api/v1/openapi.json',
    '/healthz',
    '/readyz',
    '/api/v1/nothing',
  ]

  test('are complete on every answer, of every call and of everything else', async () => {
    const calls = gateway.routes
      .filter(({ endpoint }) => endpoint.answers !== 'stream')
      .map(({ endpoint }) => ({
        method: endpoint.method as string,
        path: `/api/v1${endpoint.path.replace(/:\w+/g, '0123456789abcdefghjk')}`,
      }))
    const all = [...paths.map((path) => ({ method: 'GET', path })), ...calls]
    const wrong: string[] = []
    for (const { method, path } of all) {
      const response = await fetch(`${gateway.url}${path}`, { method })
      await response.arrayBuffer()
      for (const [name, value] of SET) {
        if (!value.test(response.headers.get(name) ?? '')) wrong.push(`${method} ${path}: ${name}`)
      }
      const isApi = path.startsWith('/api/v1/') && !path.endsWith('openapi.json')
      const cache = response.headers.get('cache-control') ?? ''
      if (isApi && !/no-store|private/.test(cache)) wrong.push(`${method} ${path}: ${cache}`)
      if (response.headers.has('x-powered-by')) wrong.push(`${path} says what it runs on`)
      if (response.headers.has('access-control-allow-origin'))
        wrong.push(`${path} is open to others`)
    }
    expect(wrong).toEqual([])
    expect(all.length).toBeGreaterThan(100)
  }, 60_000)

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

describe('T51 requests that parsers read differently', () => {
  const head = `POST /api/v1/users/login HTTP/1.1\r\nhost: x\r\nx-requested-with: XMLHttpRequest\r\n`
  const smuggled = 'GET /api/v1/countries HTTP/1.1\r\nhost: x\r\n\r\n'
  const requests: readonly (readonly [name: string, text: string | Buffer])[] = [
    [
      'length and chunks',
      `${head}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    ],
    [
      'chunks, obfuscated',
      `${head}content-length: 5\r\ntransfer-encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
    ],
    ['two lengths', `${head}content-length: 4\r\ncontent-length: 44\r\n\r\n${smuggled}`],
    ['a length with a sign', `${head}content-length: +4\r\n\r\nabcd${smuggled}`],
    ['a folded header', `${head}x-a: 1\r\n b\r\ncontent-length: 0\r\n\r\n`],
    ['a space before the colon', `${head}content-length : 4\r\n\r\n${smuggled}`],
    ['a bare newline', `GET / HTTP/1.1\nhost: x\n\n${smuggled}`],
    ['64 kB of headers', `GET / HTTP/1.1\r\nhost: x\r\nx-a: ${'a'.repeat(65_536)}\r\n\r\n`],
    ['no host', 'GET /api/v1/countries HTTP/1.1\r\n\r\n'],
    ['two hosts', 'GET /api/v1/countries HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n'],
    ['a version that is none', 'GET / HTTP/9.9\r\nhost: x\r\n\r\n'],
    ['a method that is none', 'EVIL / HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a null byte', Buffer.from('GET /\0 HTTP/1.1\r\nhost: x\r\n\r\n')],
  ]

  test.each(requests)('%s is refused, and nothing behind it answered', async (_name, text) => {
    const { statuses } = await raw(text)
    // At most one answer, and none of what was smuggled in.
    expect(statuses.filter((status) => status === 200)).toEqual([])
    expect(statuses.length).toBeLessThanOrEqual(1)
  })

  test.each(['TRACE', 'CONNECT', 'PROPFIND', 'OPTIONS', 'HEAD'])(
    '%s changes and tells nothing',
    async (method) => {
      const { body, statuses } = await raw(
        `${method} /api/v1/users/me HTTP/1.1\r\nhost: x\r\nx-canary: said\r\nconnection: close\r\n\r\n`,
      )
      expect(body).not.toContain('said')
      expect(statuses.every((status) => status >= 400)).toBe(true)
    },
  )

  test('a header of a hundred thousand spaces costs nothing', async () => {
    const { tookMs } = await raw(
      `GET /api/v1/countries HTTP/1.1\r\nhost: x\r\nx-forwarded-host:${' '.repeat(15_000)}x\r\nconnection: close\r\n\r\n`,
    )
    expect(tookMs).toBeLessThan(500)
  })
})

describe('T55 pages of others', () => {
  const origins = [
    'https://evil.example',
    'null',
    'http://gateway.test.evil.example',
    'http://gateway.test:81',
    'https://gateway.test',
    'http://evilgateway.test',
    'http://GATEWAY.TEST@evil.example',
    'file://',
    'http://127.0.0.1:1',
  ]

  test.each(origins)('from %s read nothing and change nothing', async (origin) => {
    const read = await fetch(`${gateway.url}/api/v1/users/me`, {
      headers: { origin, cookie: visitor.cookie },
    })
    expect(read.headers.get('access-control-allow-origin')).toBeNull()
    expect(read.headers.get('access-control-allow-credentials')).toBeNull()
    expect(read.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    const changed = await send(gateway, visitor, {
      method: 'PUT',
      path: '/users/me/preferences',
      body: { marketUpdates: true },
      headers: { origin, 'sec-fetch-site': 'cross-site' },
    })
    expect(changed.status).toBe(403)
  })
})

describe('T56 JSON that is more than it seems', () => {
  const post = async (text: string) => {
    const began = performance.now()
    const response = await fetch(`${gateway.url}/api/v1/users/me/preferences`, {
      method: 'PUT',
      headers: {
        cookie: visitor.cookie,
        'x-xsrf-token': visitor.csrfToken,
        'content-type': 'application/json',
      },
      body: text,
    })
    await response.arrayBuffer()
    return { status: response.status, tookMs: performance.now() - began }
  }
  const bodies: readonly (readonly [name: string, text: string])[] = [
    ['__proto__', '{"__proto__":{"isAdmin":true}}'],
    ['constructor', '{"constructor":{"prototype":{"isAdmin":true}}}'],
    ['ten thousand levels', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['ten thousand objects deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['many elements', `[${'1,'.repeat(30_000)}1]`],
    ['a list', '[1]'],
    ['a word', '"text"'],
    ['a number beyond numbers', '{"chartRange":1e999}'],
    ['half a surrogate', '{"chartRange":"\\ud800"}'],
    ['a null byte', '{"chartRange":"\\u0000"}'],
    ['no end', '{"a":'],
    ['two documents', '{}{}'],
    ['a byte order mark', '\ufeff{"chartRange":"none"}'],
    ['too much of it', `{"a":"${'x'.repeat(70_000)}"}`],
  ]

  test.each(bodies)('%s is refused at once', async (_name, text) => {
    const { status, tookMs } = await post(text)
    expect([400, 413]).toContain(status)
    expect(tookMs).toBeLessThan(500)
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })
})

describe('T45 five hundred slow callers', () => {
  test('are cut off in time, and nobody else waits for them', async () => {
    const sockets = Array.from({ length: SLOW_SOCKETS }, open)
    let closed = 0
    for (const socket of sockets) {
      socket.write('POST /api/v1/users/login HTTP/1.1\r\nhost: x\r\n')
      socket.once('close', () => {
        closed += 1
      })
    }
    const began = performance.now()
    const dripping = setInterval(() => {
      for (const socket of sockets) if (!socket.destroyed) socket.write('x-a: b\r\n')
    }, 500)
    const tookMs: number[] = []
    while (closed < SLOW_SOCKETS && performance.now() - began < 12_000) {
      const startedAt = performance.now()
      const response = await fetch(`${gateway.url}/api/v1/countries`)
      await response.arrayBuffer()
      tookMs.push(performance.now() - startedAt)
      await delay(20)
    }
    clearInterval(dripping)
    for (const socket of sockets) socket.destroy()
    expect(closed).toBe(SLOW_SOCKETS)
    expect(performance.now() - began).toBeLessThan(9_000)
    tookMs.sort((left, right) => left - right)
    expect(tookMs[Math.floor(tookMs.length * 0.95)]).toBeLessThan(500)
  }, 20_000)
})
