import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addUser,
  openVisit,
  PASSWORD,
  send,
  startTestGateway,
  type TestGateway,
} from '../test-gateway.ts'

let gateway: TestGateway
let written = ''
beforeAll(async () => {
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      written += String(chunk)
      done()
    },
  })
  gateway = await startTestGateway({ log: pino({ level: 'trace' }, sink) })
})
afterAll(() => gateway?.stop())

const listLines = () => written.split('\n').filter((line) => line !== '')

test('T50 every line is one JSON object, whatever was sent', async () => {
  const hostile = ['\r\n{"level":60}', '\u001b[31mred', '"quoted"', '\u2028', 'x'.repeat(10_000)]
  for (const text of hostile) {
    const path = `/users/${encodeURIComponent(text).slice(0, 5_000)}/status`
    await send(gateway, null, { method: 'PATCH', path, body: { status: text } })
    const body = { email: `${text}@example.com`, password: text }
    await send(gateway, null, { method: 'POST', path: '/users/login', body })
    // Replaces the characters that the HTTP client refuses to send in headers.
    const headers = { 'user-agent': text.replace(/[^\x20-\x7e]/g, '?').slice(0, 5_000) }
    await send(gateway, null, { method: 'GET', path: '/countries', headers })
  }
  expect(listLines().length).toBeGreaterThanOrEqual(hostile.length * 3)
  for (const line of listLines()) {
    const entry = JSON.parse(line) as { level: number }
    expect(entry.level).toBeLessThan(60)
  }
})

test('T50 no secret is written: password, cookie, token or code', async () => {
  const id = await addUser(gateway, { role: 'user', status: 'active' })
  const visitor = await openVisit(gateway, id)
  const email = `${id}@example.com`
  const login = { method: 'POST', path: '/users/login' }
  await send(gateway, null, { ...login, body: { email, password: PASSWORD } })
  await send(gateway, null, { ...login, body: { email, password: 'canary-password' } })
  await send(gateway, visitor, { method: 'GET', path: '/users/me?q=canary-query' })
  await send(gateway, null, {
    method: 'POST',
    path: '/users/reset_password',
    body: { token: 'canary-token', password: 'canary-new', passwordConfirm: 'canary-new' },
  })
  const token = /sid=([\w-]+)/.exec(visitor.cookie)?.[1] ?? 'none'
  for (const secret of [PASSWORD, 'canary', token, visitor.csrfToken]) {
    expect(written).not.toContain(secret)
  }
})

test('T50 each refused request is in the log, with its caller and path', async () => {
  written = ''
  const visitor = await openVisit(
    gateway,
    await addUser(gateway, { role: 'user', status: 'active' }),
  )
  await send(gateway, visitor, { method: 'GET', path: '/admin/audit' })
  await send(gateway, null, { method: 'GET', path: '/users/me' })
  const entries = listLines().map((line) => JSON.parse(line) as { path?: string; status?: number })
  expect(entries).toContainEqual(
    expect.objectContaining({
      path: '/api/v1/admin/audit',
      status: 403,
      requestId: expect.any(String),
    }),
  )
  expect(entries).toContainEqual(expect.objectContaining({ path: '/api/v1/users/me', status: 401 }))
})

test('T50 its sabotaged twin: a log that writes the whole request tells the password', async () => {
  let careless = ''
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      careless += String(chunk)
      done()
    },
  })
  pino({}, sink).info({ body: { email: 'a@example.com', password: 'canary-password' } }, 'request')
  expect(careless).toContain('canary-password')
})
