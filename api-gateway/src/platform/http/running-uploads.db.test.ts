import type { Socket } from 'node:net'
import { RECEIPT_BYTES_MAX } from '@cairn/gateway-contracts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openSocket } from '../../../testing/raw-request.ts'
import {
  addUser,
  openVisit,
  type Reply,
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
} from '../../../testing/test-gateway.ts'

const PATH = '/users/me/photo'
const UPLOADS_PER_CALLER = 8

let gateway: TestGateway
const sockets: Socket[] = []

beforeAll(async () => {
  gateway = await startTestGateway()
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => gateway?.stop())

async function openInvestor(): Promise<Visitor> {
  return openVisit(gateway, await addUser(gateway, { role: 'user', status: 'active' }))
}

/** Sends the head of an upload of the largest size, and no part of its form. */
function startUpload({ cookie, csrfToken }: Visitor): void {
  const socket = openSocket(gateway.url)
  sockets.push(socket)
  const head = [`PUT /api/v1${PATH} HTTP/1.1`, 'host: x', 'x-requested-with: XMLHttpRequest']
  const session = [`cookie: ${cookie}`, `x-xsrf-token: ${csrfToken}`]
  const form = ['content-type: multipart/form-data; boundary=b', `content-length: 3000000`, '', '']
  socket.write([...head, ...session, ...form].join('\r\n'))
}

/** Uploads a file of the largest size that is not an image. */
function upload(visitor: Visitor): Promise<Reply> {
  const form = new FormData()
  form.set('photo', new Blob([new Uint8Array(RECEIPT_BYTES_MAX - 1)]), 'photo.png')
  return send(gateway, visitor, { method: 'PUT', path: PATH, form })
}

const readCode = async (visitor: Visitor) => (await upload(visitor)).body.code

test('a caller has eight uploads at a time, and other callers go on', async () => {
  const [slow, other] = [await openInvestor(), await openInvestor()]
  expect(await readCode(slow)).toBe('NOT_AN_IMAGE')
  for (let nth = 0; nth < UPLOADS_PER_CALLER; nth += 1) startUpload(slow)
  await expect.poll(() => readCode(slow)).toBe('TOO_MANY_REQUESTS')
  expect(await readCode(other)).toBe('NOT_AN_IMAGE')
  sockets.pop()?.destroy()
  await expect.poll(() => readCode(slow)).toBe('NOT_AN_IMAGE')
})
