import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { openSocket } from '../../../testing/raw-request.ts'
import { callAfterAnswer } from './send-answer.ts'

const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function start(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  // The cast is safe because a server that listens on TCP has such an address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('is called at once if the answer is not streamed', async () => {
  const call = vi.fn()
  const url = await start((req, res) => {
    callAfterAnswer({ body: 'text', req, res }, call)
    expect(call).toHaveBeenCalledTimes(1)
    res.end()
  })
  await fetch(url)
  expect(call).toHaveBeenCalledTimes(1)
})

test('is called once after a stream has ended', async () => {
  const call = vi.fn()
  const url = await start((req, res) => {
    const body = Readable.from(['a', 'b'])
    callAfterAnswer({ body, req, res }, call)
    expect(call).not.toHaveBeenCalled()
    body.pipe(res)
  })
  expect(await (await fetch(url)).text()).toBe('ab')
  await expect.poll(() => call.mock.calls.length).toBe(1)
})

test('is called for an answer that waits behind another one when the connection is closed', async () => {
  const call = vi.fn()
  let requests = 0
  const url = await start((req, res) => {
    requests += 1
    // The first request is not answered, so the second answer never gets the connection.
    if (requests === 2) callAfterAnswer({ body: Readable.from(['a']), req, res }, call)
  })
  const socket = openSocket(url)
  socket.write(REQUEST.repeat(2))
  await expect.poll(() => requests).toBe(2)
  expect(call).not.toHaveBeenCalled()
  socket.destroy()
  await expect.poll(() => call.mock.calls.length).toBe(1)
})
