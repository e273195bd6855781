import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSocket } from '../../../testing/raw-request.ts'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'

const HEAD =
  'POST /api/v1/users/login HTTP/1.1\r\nhost: x\r\nx-requested-with: XMLHttpRequest\r\n' +
  'content-type: application/json\r\n'

interface Line {
  level: number
  path?: string
  status?: number
}

let gateway: TestGateway
const lines: Line[] = []
beforeAll(async () => {
  // The cast is safe because pino writes each line as a JSON object.
  const stream = { write: (text: string) => void lines.push(JSON.parse(text) as Line) }
  gateway = await startTestGateway({ log: pino({ level: 'info' }, stream) })
})
afterAll(() => gateway?.stop())

/** Sends the request and disconnects before the response. Returns the log line. */
async function sendAndDisconnect(request: string): Promise<Line> {
  const known = lines.length
  const socket = openSocket(gateway.url)
  await new Promise((sent) => socket.write(request, sent))
  socket.destroy()
  const findLine = () => lines.slice(known).find(({ path }) => path === '/api/v1/users/login')
  await expect.poll(findLine).toBeDefined()
  return findLine() ?? { level: Number.NaN }
}

test('a client that disconnects during a request is not logged as an error', async () => {
  const { status } = await sendAndDisconnect(`${HEAD}content-length: 60000\r\n\r\n{"email":`)
  expect(status).toBe(400)
  expect(lines.filter(({ level }) => level >= 50)).toEqual([])
})

test('a client that disconnects while its password is checked is not logged as an error', async () => {
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'not the one' })
  const { status } = await sendAndDisconnect(`${HEAD}content-length: ${body.length}\r\n\r\n${body}`)
  // The status is 400 if the client disconnected before the body was read.
  expect([400, 401]).toContain(status)
  expect(lines.filter(({ level }) => level >= 50)).toEqual([])
})

test('sabotaged twin: a call that fails is logged as an error', async () => {
  const { read } = gateway.deps.settings
  gateway.deps.settings.read = () => Promise.reject(new Error('broken on purpose'))
  const { status } = await sendAndDisconnect(`${HEAD}content-length: 2\r\n\r\n{}`)
  gateway.deps.settings.read = read
  expect(status).toBe(500)
  expect(lines.filter(({ level }) => level >= 50)).toHaveLength(1)
})
