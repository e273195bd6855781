import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chooseTimeLimit } from '@cairn/local/time-limit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { listen } from '../../src/platform/http/server.ts'
import { sendRaw } from '../raw-request.ts'
import { visit } from '../test-browser.ts'
import { startTestGateway, type TestGateway, type Visitor } from '../test-gateway.ts'

const HEAD = `POST /api/v1/users/login HTTP/1.1\r\nhost: x\r\nx-requested-with: XMLHttpRequest\r\n`
const SMUGGLED = 'GET /api/v1/countries HTTP/1.1\r\nhost: x\r\n\r\n'
const REQUESTS: readonly (readonly [name: string, text: string | Buffer])[] = [
  [
    'length and chunks',
    `${HEAD}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  ],
  [
    'chunks, obfuscated',
    `${HEAD}content-length: 5\r\ntransfer-encoding: xchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  ],
  ['two lengths', `${HEAD}content-length: 4\r\ncontent-length: 44\r\n\r\n${SMUGGLED}`],
  ['a length with a sign', `${HEAD}content-length: +4\r\n\r\nabcd${SMUGGLED}`],
  ['a folded header', `${HEAD}x-a: 1\r\n b\r\ncontent-length: 0\r\n\r\n`],
  ['a space before the colon', `${HEAD}content-length : 4\r\n\r\n${SMUGGLED}`],
  ['a bare newline', `GET / HTTP/1.1\nhost: x\n\n${SMUGGLED}`],
  ['64 kB of headers', `GET / HTTP/1.1\r\nhost: x\r\nx-a: ${'a'.repeat(65_536)}\r\n\r\n`],
  ['no host', 'GET /api/v1/countries HTTP/1.1\r\n\r\n'],
  ['two hosts', 'GET /api/v1/countries HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n'],
  ['a version that is none', 'GET / HTTP/9.9\r\nhost: x\r\n\r\n'],
  ['a method that is none', 'EVIL / HTTP/1.1\r\nhost: x\r\n\r\n'],
  ['a null byte', Buffer.from('GET /\0 HTTP/1.1\r\nhost: x\r\n\r\n')],
]

/**
 * Returns the requests that succeeded, or that got two responses because they contain a second
 * request.
 */
async function findAnsweredRequests(url: string): Promise<readonly string[]> {
  const answered: string[] = []
  for (const [name, request] of REQUESTS) {
    const { statuses } = await sendRaw(url, request)
    if (statuses.length > 1 || statuses.includes(200)) answered.push(name)
  }
  return answered
}

describe('T51 requests that parsers read differently', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway?.stop())

  test('are refused, and no smuggled request is answered', async () => {
    expect(await findAnsweredRequests(gateway.url)).toEqual([])
  })

  test.each(['TRACE', 'CONNECT', 'PROPFIND', 'OPTIONS', 'HEAD'])(
    '%s changes nothing and reveals nothing',
    async (method) => {
      const { text, statuses } = await sendRaw(
        gateway.url,
        `${method} /api/v1/users/me HTTP/1.1\r\nhost: x\r\nx-canary: said\r\nconnection: close\r\n\r\n`,
      )
      expect(text).not.toContain('said')
      expect(statuses.every((status) => status >= 400)).toBe(true)
    },
  )

  test('a header of a hundred thousand spaces costs nothing', async () => {
    const { tookMs } = await sendRaw(
      gateway.url,
      `GET /api/v1/countries HTTP/1.1\r\nhost: x\r\nx-forwarded-host:${' '.repeat(15_000)}x\r\nconnection: close\r\n\r\n`,
    )
    expect(tookMs).toBeLessThan(chooseTimeLimit(500))
  })
})

describe('T51 their sabotaged twin, whose parser is lenient', () => {
  const startForgivingServer: typeof listen = async (listener, { host, port }) => {
    const server = createServer({ insecureHTTPParser: true }, listener)
    await new Promise<void>((resolve) => server.listen(port, host, resolve))
    return server
  }
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({ listen: startForgivingServer })
  })
  afterAll(() => gateway?.stop())

  test('answers the smuggled requests', async () => {
    expect(await findAnsweredRequests(gateway.url)).toContain('length and chunks')
  })
})

const BODIES: readonly (readonly [name: string, text: string])[] = [
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

interface Answered {
  status: number
  tookMs: number
}

async function post(url: string, visitor: Visitor | null, text: string): Promise<Answered> {
  const began = performance.now()
  const response = await fetch(`${url}/api/v1/users/me/preferences`, {
    method: 'PUT',
    headers: {
      cookie: visitor?.cookie ?? '',
      'x-xsrf-token': visitor?.csrfToken ?? '',
      'content-type': 'application/json',
    },
    body: text,
  })
  await response.arrayBuffer()
  return { status: response.status, tookMs: performance.now() - began }
}

/** Returns the bodies that were accepted or that changed `Object.prototype`. */
async function findAcceptedBodies(
  send: (text: string) => Promise<Answered>,
): Promise<readonly string[]> {
  const taken: string[] = []
  for (const [name, text] of BODIES) {
    const { status } = await send(text)
    if (status !== 400 && status !== 413) taken.push(name)
    if (({} as { isAdmin?: boolean }).isAdmin !== undefined) taken.push(`${name}: Object.prototype`)
    Reflect.deleteProperty(Object.prototype, 'isAdmin')
  }
  return taken
}

describe('T56 JSON with dangerous keys or sizes', () => {
  let gateway: TestGateway
  let visitor: Visitor
  beforeAll(async () => {
    gateway = await startTestGateway()
    visitor = await visit(gateway, 'investor')
  })
  afterAll(() => gateway?.stop())

  test('is refused, and changes no object', async () => {
    expect(await findAcceptedBodies((text) => post(gateway.url, visitor, text))).toEqual([])
  })

  test.each(BODIES)('%s is refused at once', async (_name, text) => {
    const tookMs: number[] = []
    // Only the fastest of three attempts is compared with the limit, because other processes can
    // slow an attempt down.
    for (let time = 0; time < 3; time += 1) {
      tookMs.push((await post(gateway.url, visitor, text)).tookMs)
    }
    expect(Math.min(...tookMs)).toBeLessThan(chooseTimeLimit(100))
  })
})

describe('T56 its sabotaged twin, which merges what it is sent', () => {
  let server: Server
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
      try {
        merge({}, JSON.parse(Buffer.concat(chunks).toString('utf8')))
        response.end('{}')
      } catch {
        response.writeHead(400).end()
      }
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => server.close())

  test('is caught', async () => {
    // The cast is safe because a server that listens on TCP has such an address.
    const { port } = server.address() as AddressInfo
    const taken = await findAcceptedBodies((text) => post(`http://127.0.0.1:${port}`, null, text))
    expect(taken).toEqual(expect.arrayContaining(['__proto__: Object.prototype', 'too much of it']))
  })

  /** Merges objects recursively, without protection against prototype pollution. */
  function merge(target: Record<string, unknown>, source: Record<string, unknown>): void {
    for (const [key, value] of Object.entries(source)) {
      const isObject = typeof value === 'object' && value !== null
      if (isObject && target[key] === undefined) target[key] = {}
      // The casts are safe because `isObject` has checked the value.
      if (isObject) merge(target[key] as Record<string, unknown>, value as Record<string, unknown>)
      else target[key] = value
    }
  }
})
