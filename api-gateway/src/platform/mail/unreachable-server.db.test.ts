import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { PATIENCE_MS } from '@cairn/local/time-limit'
import { createTransport } from 'nodemailer'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Fault, type MailServer, startMailServer } from '../../../testing/mail-server.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { type MailTransport, type MailTransports, openMailTransports } from './mail-transports.ts'
import { sendAtMostOnce } from './send-at-most-once.ts'

/** The time limit of a connection to a server that does not answer. */
const SILENCE_MS = 300

let database: TestDatabase
let db: Database
let server: MailServer
let transports: MailTransports

beforeAll(async () => {
  database = await createTestDatabase()
  const url = database.urlFor('cairn_gateway_worker')
  db = openDatabase({ url, applicationName: 'test', onError: () => {} })
})
beforeEach(async () => {
  server = await startMailServer()
  transports = openMailTransports(server.url, { connectTimeoutMs: PATIENCE_MS })
})
afterEach(async () => {
  transports.close()
  await server.close().catch(() => {})
  await db.deleteFrom('platform.mail_delivery').execute()
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

/** Sends a mail as a job of an announcement does. Returns false if the job fails. */
async function sendOnce(name: string, transport: MailTransport): Promise<boolean> {
  const mail = { from: 'site@example.com', to: `${name}@example.com`, text: name }
  const send = () => transport.sendMail(mail)
  const messageId = `<${name}@example.com>`
  return sendAtMostOnce({ db, clock: Date }, { messageId, kind: 'market-update', send }).then(
    () => true,
    () => false,
  )
}

async function listRecorded(): Promise<readonly string[]> {
  const rows = await db.selectFrom('platform.mail_delivery').select('message_id').execute()
  return rows.map(({ message_id }) => message_id).toSorted()
}

describe('a mail that was certainly not sent is sent by a later attempt', () => {
  test.each<Fault>(['before greeting', 'silent'])('the server fails: %s', async (fault) => {
    const impatient = openMailTransports(server.url, { connectTimeoutMs: SILENCE_MS })
    server.setFault(fault)
    expect(await sendOnce('ada', impatient.announcements)).toBe(false)
    expect(await listRecorded()).toEqual([])
    server.setFault(null)
    // On a busy machine, the server can need longer than the time limit, so the job is repeated.
    await expect.poll(() => sendOnce('ada', impatient.announcements)).toBe(true)
    expect(server.received).toHaveLength(1)
    expect(await listRecorded()).toEqual(['<ada@example.com>'])
    impatient.close()
  })

  test('the server closes a used connection before the content', async () => {
    expect(await sendOnce('ada', transports.announcements)).toBe(true)
    server.setFault('after greeting')
    expect(await sendOnce('ben', transports.announcements)).toBe(false)
    expect(await listRecorded()).toEqual(['<ada@example.com>'])
  })

  test.each(['smtp://127.0.0.1:1', 'smtp://localhost:1', 'smtp://mail.invalid:25'])(
    'no server answers at %s',
    async (url) => {
      const closed = openMailTransports(url, { connectTimeoutMs: 5_000 })
      expect(await sendOnce('ada', closed.announcements)).toBe(false)
      expect(await listRecorded()).toEqual([])
      closed.close()
    },
  )
})

test('a mail whose answer was lost is not sent again', async () => {
  server.setFault('after content')
  expect(await sendOnce('ada', transports.announcements)).toBe(false)
  server.setFault(null)
  expect(await sendOnce('ada', transports.announcements)).toBe(true)
  expect(server.received).toHaveLength(1)
})

describe('an outage with unknown results', () => {
  const sendThree = async (transport: MailTransport) => {
    server.setFault('after greeting')
    for (const name of ['ada', 'ben', 'cem']) expect(await sendOnce(name, transport)).toBe(false)
    server.setFault(null)
    for (const name of ['ada', 'ben', 'cem']) expect(await sendOnce(name, transport)).toBe(true)
    return server.received.length
  }

  test('loses at most one mail', async () => {
    expect(await sendThree(transports.announcements)).toBe(2)
  })

  test('sabotaged twin: without the check of the server it loses all of them', async () => {
    const unchecked = createTransport({ url: server.url, pool: true, maxRequeues: 0 })
    expect(await sendThree(unchecked)).toBe(0)
    unchecked.close()
  })
})

test('mails that may be sent twice are repeated by their connection', async () => {
  server.setFault('before greeting')
  const mail = { from: 'site@example.com', to: 'ada@example.com', text: 'A code' }
  const sending = transports.transport.sendMail(mail)
  await expect.poll(server.countConnections).toBe(1)
  server.setFault(null)
  await sending
  expect(server.received).toHaveLength(1)
})
