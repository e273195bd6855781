import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openSocket } from '../../../testing/raw-request.ts'
import {
  addUser,
  openVisit,
  startTestGateway,
  type TestGateway,
  type Visitor,
} from '../../../testing/test-gateway.ts'
import type { FileAnswer } from './registry.ts'

const ENDLESS = '/users/me/transactions.csv'
const SHORT = '/users/me/statements.csv'
const EXPORTS_PER_CALLER = 2
const ROW = 'row\n'.repeat(1_000)

let gateway: TestGateway
const sockets: Socket[] = []

/** Yields rows as long as they are read. */
function* listRows() {
  for (;;) yield ROW
}

beforeAll(async () => {
  gateway = await startTestGateway({
    alterRoute: (route) => {
      if (route.endpoint.path !== ENDLESS) return route
      const mediaType = 'text/csv'
      const handle = async (): Promise<FileAnswer> => {
        return { mediaType, bytes: Readable.from(listRows()), fileName: 'a.csv', isDownload: true }
      }
      return { ...route, handle }
    },
  })
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => gateway?.stop())

async function openInvestor(): Promise<Visitor> {
  return openVisit(gateway, await addUser(gateway, { role: 'user', status: 'active' }))
}

/** Asks for an export, and reads nothing. */
function startExport({ cookie }: Visitor): void {
  const socket = openSocket(gateway.url)
  sockets.push(socket)
  const head = [`GET /api/v1${ENDLESS} HTTP/1.1`, 'host: x', `cookie: ${cookie}`, '', '']
  socket.write(head.join('\r\n'))
}

async function readStatus({ cookie }: Visitor, path: string): Promise<number> {
  const response = await fetch(`${gateway.url}/api/v1${path}`, { headers: { cookie } })
  await response.body?.cancel()
  return response.status
}

test('a caller has two exports at a time, and other callers go on', async () => {
  const [slow, other] = [await openInvestor(), await openInvestor()]
  for (let nth = 0; nth < EXPORTS_PER_CALLER; nth += 1) startExport(slow)
  await expect.poll(() => readStatus(slow, SHORT)).toBe(429)
  expect(await readStatus(other, SHORT)).toBe(200)
  sockets.pop()?.destroy()
  await expect.poll(() => readStatus(slow, SHORT)).toBe(200)
})

test('exports that have ended or were refused do not count', async () => {
  const investor = await openInvestor()
  for (let nth = 0; nth < 3 * EXPORTS_PER_CALLER; nth += 1) {
    expect(await readStatus(investor, `${ENDLESS}?no-such-filter=1`)).toBe(400)
    await expect.poll(() => readStatus(investor, SHORT)).toBe(200)
  }
})
