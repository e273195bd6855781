import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { declareFailure } from '@cairn/gateway-contracts'
import { chooseTimeLimit } from '@cairn/local/time-limit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readForm } from '../../src/platform/http/multipart.ts'
import type { Route } from '../../src/platform/http/registry.ts'
import { visit } from '../test-browser.ts'
import { startTestGateway, type TestGateway, type Visitor } from '../test-gateway.ts'

const BOUNDARY = 'xxx'
const createPart = (name: string, value: string) =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const END = `--${BOUNDARY}--\r\n`
const FORMS: readonly (readonly [name: string, body: () => string | Buffer])[] = [
  ['ten thousand parts', () => createPart('a', '1').repeat(10_000) + END],
  ['a name of a megabyte', () => createPart('n'.repeat(1_000_000), '1') + END],
  ['a value of a megabyte', () => createPart('a', 'v'.repeat(1_000_000)) + END],
  ['no end', () => createPart('a', '1')],
  ['an empty name', () => createPart('', '1') + END],
  ['names like a[b][c]', () => createPart('a[b][c]', '1') + createPart('0', '1') + END],
  ['headers alone', () => `--${BOUNDARY}\r\ncontent-disposition: form-data\r\n\r\n`],
  ['a hundred headers', () => `--${BOUNDARY}\r\n${'x: y\r\n'.repeat(100)}\r\n1\r\n${END}`],
  ['no boundary in it', () => 'nothing of a form'],
  ['nothing', () => ''],
  [
    'a file of three megabytes',
    () =>
      Buffer.concat([
        Buffer.from(
          `--${BOUNDARY}\r\ncontent-disposition: form-data; name="photo"; filename="x.png"\r\n\r\n`,
        ),
        Buffer.alloc(3_000_000, 1),
        Buffer.from(`\r\n${END}`),
      ]),
  ],
  [
    'two files',
    () =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="photo"; filename="a"\r\n\r\n1\r\n`.repeat(
        2,
      ) + END,
  ],
  [
    'a file in a field that takes none',
    () =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="other"; filename="a"\r\n\r\n1\r\n${END}`,
  ],
]

/** Returns the forms that were not refused, or were refused too late. */
async function findAcceptedForms(
  gateway: TestGateway,
  visitor: Visitor,
): Promise<readonly string[]> {
  const taken: string[] = []
  for (const [name, body] of FORMS) {
    const began = performance.now()
    const response = await fetch(`${gateway.url}/api/v1/users/me/photo`, {
      method: 'PUT',
      headers: {
        cookie: visitor.cookie,
        'x-xsrf-token': visitor.csrfToken,
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      },
      body: new Uint8Array(Buffer.from(body())),
    })
    await response.arrayBuffer()
    if (![400, 413].includes(response.status)) taken.push(name)
    if (performance.now() - began > chooseTimeLimit(5_000)) taken.push(`${name} took too long`)
  }
  return taken
}

describe('T31 malformed forms', () => {
  let gateway: TestGateway
  let visitor: Visitor
  beforeAll(async () => {
    gateway = await startTestGateway()
    visitor = await visit(gateway, 'investor')
  })
  afterAll(() => gateway?.stop())

  test('are refused at once', async () => {
    expect(await findAcceptedForms(gateway, visitor)).toEqual([])
  })

  test('a body without end is cut off, and costs no memory', async () => {
    const before = process.memoryUsage().rss
    // The server can reset the connection before the test reads the answer. Then the test sends the
    // body again.
    await expect
      .poll(() => sendEndlessBody(gateway, visitor))
      .toEqual({ isOver: true, answer: 'HTTP/1.1 413 Pa' })
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
  })
})

/**
 * Sends a form without end until the server closes the connection. Returns the beginning of the
 * server's answer.
 */
async function sendEndlessBody(
  gateway: TestGateway,
  visitor: Visitor,
): Promise<{ isOver: boolean; answer: string }> {
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  let isOver = false
  socket.once('close', () => {
    isOver = true
  })
  socket.on('error', () => {})
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.write(
    `PUT /api/v1/users/me/photo HTTP/1.1\r\nhost: x\r\ncookie: ${visitor.cookie}\r\n` +
      `x-xsrf-token: ${visitor.csrfToken}\r\ncontent-type: multipart/form-data; boundary=${BOUNDARY}\r\n` +
      'transfer-encoding: chunked\r\n\r\n',
  )
  const block = 'v'.repeat(64 * 1024)
  const first = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="photo"; filename="x"\r\n\r\n`
  socket.write(`${first.length.toString(16)}\r\n${first}\r\n`)
  const began = performance.now()
  while (!isOver && performance.now() - began < chooseTimeLimit(5_000)) {
    const isTaken = socket.write(`${block.length.toString(16)}\r\n${block}\r\n`)
    // Pauses, so that the socket can read the answer.
    await delay(isTaken ? 0 : 1)
  }
  socket.destroy()
  return { isOver, answer: answer.slice(0, 15) }
}

describe('T31 their sabotaged twin, which reads a form to its end', () => {
  const removeLimits = (route: Route): Route =>
    route.endpoint.path === '/users/me/photo' && route.endpoint.method === 'PUT'
      ? {
          ...route,
          endpoint: {
            ...route.endpoint,
            request: z.strictObject({}),
            status: 204,
            failures: [declareFailure(400, 'INVALID', 'The form cannot be read')],
          },
          handle: (_request, { ctx }) =>
            readForm(ctx.req, {
              fileField: 'photo',
              fileBytesMax: Number.POSITIVE_INFINITY,
              limits: {},
            }),
        }
      : route
  let gateway: TestGateway
  let visitor: Visitor
  beforeAll(async () => {
    gateway = await startTestGateway({ alterRoute: removeLimits })
    visitor = await visit(gateway, 'investor')
  })
  afterAll(() => gateway?.stop())

  test('is caught', async () => {
    const taken = await findAcceptedForms(gateway, visitor)
    expect(taken).toEqual(
      expect.arrayContaining(['a file of three megabytes', 'names like a[b][c]']),
    )
  })
})
