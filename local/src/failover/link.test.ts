import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findFreePort } from '../free-port.ts'
import { type Link, openLink } from './link.ts'

const QUIET_MS = 200

let server: Server
let link: Link
const accepted: Socket[] = []

/** A server that answers each chunk with the same bytes. */
beforeEach(async () => {
  server = createServer((socket) => {
    accepted.push(socket)
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => socket.write(chunk))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The cast is safe because the server listens on a port.
  const { port: target } = server.address() as AddressInfo
  link = await openLink({ port: await findFreePort(), target })
})
afterEach(() => {
  link.close()
  for (const socket of accepted.splice(0)) socket.destroy()
  server.close()
})

function open(): { socket: Socket; read(): string } {
  const socket = connect(link.port, '127.0.0.1')
  let text = ''
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  return { socket, read: () => text }
}

test('bytes pass in both directions', async () => {
  const { socket, read } = open()
  socket.write('hello')
  await expect.poll(read).toBe('hello')
})

test('while the link is cut, no byte passes; afterwards the delayed bytes do', async () => {
  const old = open()
  old.socket.write('a')
  await expect.poll(old.read).toBe('a')
  link.cut()
  const late = open()
  old.socket.write('b')
  late.socket.write('c')
  await delay(QUIET_MS)
  expect([old.read(), late.read()]).toEqual(['a', ''])
  expect(accepted).toHaveLength(1)
  link.heal()
  await expect.poll(old.read).toBe('ab')
  await expect.poll(late.read).toBe('c')
})

test('the end of a connection becomes visible only through a link that is not cut', async () => {
  const { socket, read } = open()
  socket.write('a')
  await expect.poll(read).toBe('a')
  link.cut()
  accepted[0]?.resetAndDestroy()
  await delay(QUIET_MS)
  expect(socket.closed).toBe(false)
  link.heal()
  await expect.poll(() => socket.closed).toBe(true)
})
