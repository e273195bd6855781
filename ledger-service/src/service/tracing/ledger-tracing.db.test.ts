import { join } from 'node:path'
import { type Command, createId, createLedgerClient } from '@cairn/ledger-contracts'
import { findFreePort } from '@cairn/local/free-port'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { PATIENCE_MS } from '@cairn/local/time-limit'
import { createCallTracer } from '@cairn/service-kit/tracing/ledger-calls'
import { createOtlpTracer, type OtlpTracerOptions } from '@cairn/service-kit/tracing/otlp-tracer'
import { continueTrace, type Tracer } from '@cairn/service-kit/tracing/tracer'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestSigning } from '../../../test/support/test-signing.ts'
import { readServeConfig } from '../config.ts'
import { type LedgerService, startService } from '../start-service.ts'

const TOKEN = 'test-token-'.repeat(4)
const log = pino({ level: 'silent' })
type SentSpan = Parameters<NonNullable<OtlpTracerOptions['exporter']>['export']>[0][number]

interface Instance {
  url: string
  spans: SentSpan[]
  tracer: Tracer
  service: LedgerService
}

let database: TestDatabase
let folder: string
let active: Instance
let passive: Instance
beforeAll(async () => {
  database = await createTestDatabase()
  folder = (await createTestSigning()).checkpointDir
  active = await startInstance('active')
  passive = await startInstance('passive')
})
afterAll(async () => {
  for (const instance of [passive, active]) {
    await instance?.service.stop()
    await instance?.tracer.stop()
  }
  await database?.drop()
})

function createRecordingTracer(name: string, spans: SentSpan[]): Tracer {
  const config = { url: 'http://127.0.0.1:9/v1/traces', headers: {}, ratio: 1 }
  const exporter: OtlpTracerOptions['exporter'] = {
    export: (sent, done) => {
      spans.push(...sent)
      done({ code: 0 })
    },
    shutdown: async () => {},
  }
  return createOtlpTracer({ config, name, exporter, onLost: () => {} })
}

async function startInstance(name: string): Promise<Instance> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const spans: SentSpan[] = []
  const tracer = createRecordingTracer(name, spans)
  const config = readServeConfig({
    SERVICE_TOKEN: TOKEN,
    LEDGER_DATABASE_URL: database.urlFor('cairn_ledger'),
    LEDGER_PORT: String(port),
    LEDGER_SIGNING_KEY_FILE: join(folder, 'key.pem'),
    LEDGER_CHECKPOINT_DIR: folder,
  })
  const service = await startService(config, log, { tracer })
  await vi.waitFor(async () => expect((await fetch(`${url}/healthz`)).ok).toBe(true), PATIENCE_MS)
  return { url, spans, tracer, service }
}

function createCommand(key: string | null): Command {
  return {
    type: 'ActivateInvestor',
    data: { investorId: createId(Date.now()), referrerId: null },
    actor: 'system:test',
    key,
    requestId: 'request-7',
    effectiveAt: null,
  }
}

/** Submits a command in a trace of its own, and returns the number of the event and the trace. */
async function submitInTrace({ url }: Instance, command: Command) {
  const root = passive.tracer.start({ name: 'root', kind: 'internal', parent: null })
  const trace = createCallTracer(passive.tracer)
  const client = createLedgerClient({ url, token: TOKEN, trace })
  const answer = await continueTrace(root.traceparent, () => client.submit(command))
  root.end()
  if (answer.outcome !== 'recorded') throw new Error(JSON.stringify(answer))
  return { seq: answer.event.seq, traceId: getTraceId(root.traceparent), answer }
}

const getTraceId = (traceparent: string | undefined) => traceparent?.split('-')[1]

async function readTraceIdInFeed({ url }: Instance, seq: bigint): Promise<string | undefined> {
  const client = createLedgerClient({ url, token: TOKEN })
  const page = await client.events({ after: seq - 1n, waitSeconds: 1, limit: 1 })
  return getTraceId(page.traceparents?.[String(seq)])
}

const listSpans = ({ spans }: Instance, name: string) => spans.filter((span) => span.name === name)

test('the feed names the trace of the command that an event was recorded for', async () => {
  const { seq, traceId } = await submitInTrace(active, createCommand(null))
  expect(await readTraceIdInFeed(active, seq)).toBe(traceId)
})

test('a forwarded command stays in its trace, and the feed of both instances names the trace', async () => {
  const { seq, traceId } = await submitInTrace(passive, createCommand(null))
  expect(await readTraceIdInFeed(passive, seq)).toBe(traceId)
  expect(await readTraceIdInFeed(active, seq)).toBe(traceId)
  const isIn = (span: SentSpan) => span.spanContext().traceId === traceId
  for (const instance of [passive, active]) {
    const listCommands = () => listSpans(instance, 'command ActivateInvestor').filter(isIn)
    await expect.poll(() => listCommands().length).toBe(1)
    expect(listCommands()[0]?.attributes).toMatchObject({
      'cairn.event.seq': String(seq),
      'cairn.request.id': 'request-7',
    })
  }
})

test('an event keeps the trace in which it was recorded when its command is repeated', async () => {
  const command = createCommand('the key of a request')
  const first = await submitInTrace(active, command)
  const second = await submitInTrace(active, command)
  expect(second.seq).toBe(first.seq)
  expect(await readTraceIdInFeed(active, first.seq)).toBe(first.traceId)
  const isRepeated = (span: SentSpan) => span.attributes['cairn.is_replay'] === true
  const listRepeated = () => listSpans(active, 'command ActivateInvestor').filter(isRepeated)
  await expect.poll(() => listRepeated().length).toBe(1)
  expect(listRepeated()[0]?.spanContext().traceId).toBe(second.traceId)
})

test('an event of a caller without a trace has a trace that begins with its command', async () => {
  const client = createLedgerClient({ url: active.url, token: TOKEN })
  const answer = await client.submit(createCommand(null))
  if (answer.outcome !== 'recorded') throw new Error(JSON.stringify(answer))
  const traceId = await readTraceIdInFeed(active, answer.event.seq)
  const isIn = (span: SentSpan) => span.spanContext().traceId === traceId
  const listIn = () => listSpans(active, 'command ActivateInvestor').filter(isIn)
  await expect.poll(() => listIn().length).toBe(1)
  expect(listIn()[0]?.parentSpanContext).toBeUndefined()
})

test('commands of one batch are links of its span', async () => {
  const commands = Array.from({ length: 200 }, () => createCommand(null))
  const client = createLedgerClient({ url: active.url, token: TOKEN })
  const answers = await client.submitMany(commands, 'interactive')
  expect(answers.every(({ outcome }) => outcome === 'recorded')).toBe(true)
  const isLarge = (span: SentSpan) => Number(span.attributes['cairn.batch.commands']) > 1
  const listLarge = () => listSpans(active, 'batch').filter(isLarge)
  await expect.poll(() => listLarge().length).toBeGreaterThan(0)
  for (const { links, attributes } of listLarge()) {
    expect(links).toHaveLength(Number(attributes['cairn.batch.commands']))
  }
})
