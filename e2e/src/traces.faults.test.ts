import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { createLedgerClient } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../api-gateway/src/platform/database/database.ts'
import { createKeyRing } from '../../api-gateway/src/platform/keys/key-ring.ts'
import { addUser, openVisit, send, type Visitor } from '../../api-gateway/testing/test-gateway.ts'
import { type HeaderFilter, startHeaderFilter } from './header-filter.ts'
import { waitForMail } from './mailbox.ts'
import { createReceiptPng } from './picture.ts'
import { createServices, SESSION_SECRET, type Services } from './service-processes.ts'
import { type ReceivedSpan, startTraceCollector, type TraceCollector } from './trace-collector.ts'

const EMAIL = 'traced.investor@example.com'
const AMOUNT = '7312.45'
const COLLECTOR_TOKEN = 'a token of the collector'
const STRANGER = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) }

let database: TestDatabase
let db: Database
let collector: TraceCollector
let filter: HeaderFilter
let services: Services
let gateway: { url: string }
let admin: Visitor
let investor: Visitor

beforeAll(async () => {
  database = await createTestDatabase()
  collector = await startTraceCollector()
  services = await createServices(database, {
    instances: 1,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${encodeURIComponent(COLLECTOR_TOKEN)}`,
    },
    connectThrough: async (ledgerUrl) => {
      filter = await startHeaderFilter(ledgerUrl)
      return filter.url
    },
  })
  for (const one of [...services.ledgers, ...services.gateways, ...services.workers]) {
    await one.start()
  }
  const [ledgerUrl = '', url = ''] = [services.ledgers[0]?.url, services.gateways[0]?.url]
  gateway = { url }
  db = openDatabase({
    url: database.urlFor('cairn_gateway'),
    applicationName: 'test',
    onError: () => {},
  })
  const ledger = createLedgerClient({ url: ledgerUrl, token: services.token })
  const deps = { clock: Date, sessionKeys: createKeyRing({ value: SESSION_SECRET }) }
  const store = { db, deps, ledger: { unrecorded: ledger } }
  admin = await openVisit(store, await addUser(store, { role: 'admin', status: 'active' }))
  const investorId = await addUser(store, { role: 'user', status: 'active', email: EMAIL })
  investor = await openVisit(store, investorId)
  const option = { payOption: 'Bank Transfer', bank: 'First Bank', accountNumber: '1' }
  await call(admin, { method: 'POST', path: '/paymentOptions', body: option })
})
afterAll(async () => {
  await services?.remove()
  filter?.close()
  collector?.close()
  await db?.destroy()
  await database?.drop()
})

/** Sends a request and returns its id. Throws if the request was refused. */
async function call(visitor: Visitor, request: Parameters<typeof send>[2]): Promise<string> {
  const { status, headers, body } = await send(gateway, visitor, request)
  if (status >= 300) throw new Error(`${request.path}: ${JSON.stringify(body)}`)
  return String(headers.get('x-request-id'))
}

function sendDeposit(amount: string) {
  const form = new FormData()
  const fields = { type: 'deposit', amount, pay_option: 'Bank Transfer' }
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('receipt', createReceiptPng(), 'receipt.png')
  return send(gateway, investor, { method: 'POST', path: '/users/me/transactions', form })
}

/** Requests a deposit and approves it. Returns the id of the request that approves it. */
async function approveDeposit(): Promise<string> {
  const requested = await sendDeposit(AMOUNT)
  expect(requested.status, JSON.stringify(requested.body)).toBe(201)
  // The cast is safe because the declared answer has this member.
  const { transaction } = requested.body.data as unknown as { transaction: { id: string } }
  const path = `/transactions/${transaction.id}/action/approve`
  return call(admin, { method: 'PATCH', path, body: {} })
}

/** Lists the spans that the collector has received. All arguments restrict the list. */
function findSpans(wanted: Partial<Pick<ReceivedSpan, 'name' | 'traceId'>>, requestId?: string) {
  return collector.listSpans().filter((span) => {
    const isNamed = Object.entries(wanted).every(
      // The cast is safe because the keys are those of `wanted`.
      ([key, value]) => span[key as keyof typeof wanted] === value,
    )
    return isNamed && (requestId === undefined || span.attributes['cairn.request.id'] === requestId)
  })
}

/** Waits until the collector has one such span, and returns it. */
async function waitForSpan(...wanted: Parameters<typeof findSpans>): Promise<ReceivedSpan> {
  await expect.poll(() => findSpans(...wanted).length).toBe(1)
  const [span] = findSpans(...wanted)
  if (span === undefined) throw new Error(`no span ${JSON.stringify(wanted)}`)
  return span
}

const APPROVAL = 'PATCH /transactions/:id/action/approve'

describe('a trace', () => {
  test('leads from the approval of a deposit to the event and to the mail', async () => {
    const requestId = await approveDeposit()
    const click = await waitForSpan({ name: APPROVAL }, requestId)
    const { traceId } = click
    const sent = await waitForSpan({ name: 'ledger ApproveDeposit', traceId })
    const command = await waitForSpan({ name: 'command ApproveDeposit', traceId })
    const job = await waitForSpan({ name: 'job mail.send', traceId })
    const mail = await waitForSpan({ name: 'mail deposit-approved', traceId })

    const chain = [click, sent, command, job, mail]
    expect(chain.map(({ service }) => service)).toEqual([
      'cairn-gateway',
      'cairn-gateway',
      'cairn-ledger',
      'cairn-gateway-worker',
      'cairn-gateway-worker',
    ])
    expect(chain.map(({ parentSpanId }) => parentSpanId)).toEqual([
      '',
      ...chain.slice(0, -1).map(({ spanId }) => spanId),
    ])
    const seq = String(command.attributes['cairn.event.seq'])
    expect(seq).toMatch(/^\d+$/)
    expect(click.attributes).toMatchObject({
      'http.route': '/transactions/:id/action/approve',
      'http.response.status_code': 200,
    })
    expect(command.attributes).toMatchObject({
      'cairn.command.type': 'ApproveDeposit',
      'cairn.event.type': 'DepositApproved',
      'cairn.outcome': 'recorded',
      'cairn.request.id': requestId,
    })
    expect(job.attributes).toMatchObject({
      'cairn.job.queue': 'mail.send',
      'cairn.event.seq': seq,
    })
    expect(collector.getLastHeaders()).toMatchObject({ authorization: COLLECTOR_TOKEN })
    await waitForMail(services.mailUrl, { to: EMAIL, subject: /approved/i })
  })

  test('has a batch that links to its commands and has no parent', async () => {
    const requestId = await approveDeposit()
    const command = await waitForSpan({ name: 'command ApproveDeposit' }, requestId)
    const { traceId, spanId } = command
    const isLinked = (span: ReceivedSpan) => span.links.some((link) => link.spanId === spanId)
    await expect.poll(() => findSpans({ name: 'batch' }).filter(isLinked)).toHaveLength(1)
    const batch = findSpans({ name: 'batch' }).find(isLinked)
    expect(batch?.links).toContainEqual(expect.objectContaining({ traceId, spanId }))
    expect(batch?.parentSpanId).toBe('')
    expect(batch?.traceId).not.toBe(traceId)
    expect(batch?.attributes).toMatchObject({
      'cairn.batch.commands': 1,
      'cairn.batch.events': '1',
      'cairn.batch.first_seq': command.attributes['cairn.event.seq'],
      'cairn.batch.outcome': 'written',
    })
  })

  test('sabotaged twin: without the header, the event and the mail are not in the trace', async () => {
    filter.remove('traceparent')
    const requestId = await approveDeposit().finally(() => filter.remove(null))
    const { traceId } = await waitForSpan({ name: APPROVAL }, requestId)
    const command = await waitForSpan({ name: 'command ApproveDeposit' }, requestId)
    await waitForSpan({ name: 'mail deposit-approved', traceId: command.traceId })
    expect(command).toMatchObject({ parentSpanId: '' })
    expect(command.traceId).not.toBe(traceId)
    expect(findSpans({ name: 'mail deposit-approved', traceId })).toEqual([])
  })

  test('names the code of a refusal', async () => {
    const { status, headers } = await sendDeposit('0.01')
    expect(status).toBe(422)
    const requestId = String(headers.get('x-request-id'))
    const command = await waitForSpan({ name: 'command RequestDeposit' }, requestId)
    expect(command.attributes).toMatchObject({
      'cairn.outcome': 'refused',
      'cairn.refusal.code': 'AMOUNT_BELOW_MINIMUM',
    })
    expect(command.isFailed).toBe(false)
  })

  test('of a mail without an event begins with the request that caused the mail', async () => {
    const path = '/users/forgot_password'
    const requestId = await call(investor, { method: 'POST', path, body: { email: EMAIL } })
    const click = await waitForSpan({ name: `POST ${path}` }, requestId)
    const job = await waitForSpan({ name: 'job mail.send', traceId: click.traceId })
    expect(job.parentSpanId).toBe(click.spanId)
    expect(job.attributes).toMatchObject({ 'cairn.request.id': requestId })
    await waitForSpan({ name: 'mail password-reset', traceId: click.traceId })
  })

  test('is not continued for a caller of the public API, whose span is only a link', async () => {
    const traceparent = `00-${STRANGER.traceId}-${STRANGER.spanId}-01`
    const path = '/plans'
    const request = { method: 'GET', path, headers: { traceparent } }
    const requestId = await call(investor, request)
    const span = await waitForSpan({ name: `GET ${path}` }, requestId)
    expect(span.parentSpanId).toBe('')
    expect(span.links).toEqual([expect.objectContaining(STRANGER)])
    expect(findSpans({ traceId: STRANGER.traceId })).toEqual([])
  })

  test('contains no personal data, amounts, tokens or ids of paths', () => {
    const bodies = collector.readBodies()
    expect(bodies).toContain('ApproveDeposit')
    const secrets = [services.token, services.gatewayToken, COLLECTOR_TOKEN]
    const own = [EMAIL, EMAIL.split('@')[0] ?? '', AMOUNT, AMOUNT.replace('.', '')]
    const ids = [admin.userId, investor.userId, admin.csrfToken]
    for (const text of [...secrets, ...own, ...ids]) expect(bodies).not.toContain(text)
  })
})

describe('a process', () => {
  const CONFIG = JSON.stringify({ url: 'http://127.0.0.1:9/v1/traces', headers: {}, ratio: 1 })

  /** Lists the OpenTelemetry packages that a process loads when it starts its traces. */
  async function listLoadedPackages(config: string): Promise<string> {
    const root = resolve(import.meta.dirname, '..', '..')
    const program = `
      import { registerHooks } from 'node:module'
      const found = new Set()
      registerHooks({
        load(url, context, next) {
          found.add(/@opentelemetry\\/[\\w-]+/.exec(url)?.[0])
          return next(url, context)
        },
      })
      const { startTracing } = await import('./service-kit/src/tracing/start-tracing.ts')
      await startTracing(${config}, { name: 'test', log: { info: () => {}, warn: () => {} } })
      console.log([...found].join(' '))
      process.exit()`
    const args = ['--input-type=module', '--eval', program]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
    return stdout
  }

  test('loads no package of OpenTelemetry if traces are off', async () => {
    expect(await listLoadedPackages('null')).not.toContain('@opentelemetry')
  })

  test('sabotaged twin: with traces, the packages are found among the loaded files', async () => {
    expect(await listLoadedPackages(CONFIG)).toContain('@opentelemetry/sdk-trace')
  })
})
