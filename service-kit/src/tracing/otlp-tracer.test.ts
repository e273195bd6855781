import { InMemorySpanExporter, type SpanExporter } from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import { createCallTracer } from './ledger-calls.ts'
import { createOtlpTracer } from './otlp-tracer.ts'
import { continueTrace, getCurrentTraceparent, leaveTrace, runInSpan } from './tracer.ts'

const TRACE = 'ab'.repeat(16)
const SAMPLED = `00-${TRACE}-${'cd'.repeat(8)}-01`
const UNSAMPLED = `00-${TRACE}-${'cd'.repeat(8)}-00`
const start = { name: 'test', kind: 'internal', parent: null } as const

function createTracer(ratio = 1, exporter: SpanExporter = new InMemorySpanExporter()) {
  const lost: unknown[] = []
  const config = { url: 'http://127.0.0.1:9/v1/traces', headers: {}, ratio }
  const onLost = (error: unknown) => void lost.push(error)
  return { lost, tracer: createOtlpTracer({ config, name: 'test', onLost, exporter }) }
}

/** Returns the spans that the functions make. The exporter forgets its spans when it is stopped. */
async function collectSpans(
  run: (tracer: ReturnType<typeof createTracer>['tracer']) => Promise<unknown> | undefined,
) {
  const exported: Parameters<SpanExporter['export']>[0] = []
  const exporter: SpanExporter = {
    export: (spans, done) => {
      exported.push(...spans)
      done({ code: 0 })
    },
    shutdown: async () => {},
  }
  const { tracer } = createTracer(1, exporter)
  await run(tracer)
  await tracer.stop()
  return exported
}

const isSampled = (traceparent: string) => traceparent.endsWith('-01')

test('a span continues the trace of its parent and follows its decision', () => {
  const { tracer } = createTracer(0)
  const sampled = tracer.start({ ...start, parent: SAMPLED })
  expect(sampled.traceparent).toContain(TRACE)
  expect(isSampled(sampled.traceparent)).toBe(true)
  const all = createTracer(1).tracer
  expect(isSampled(all.start({ ...start, parent: UNSAMPLED }).traceparent)).toBe(false)
})

test('a link is not a parent, and only a sampled link has the span sent', () => {
  const { tracer } = createTracer(0)
  const linked = tracer.start({ ...start, links: [SAMPLED] })
  expect(linked.traceparent).not.toContain(TRACE)
  expect(isSampled(linked.traceparent)).toBe(true)
  expect(isSampled(tracer.start({ ...start, links: [UNSAMPLED] }).traceparent)).toBe(false)
  expect(isSampled(tracer.start(start).traceparent)).toBe(false)
})

test('a failed span has the code of its error and not the message', async () => {
  const failure = Object.assign(new Error('for ada@example.com'), { code: 'EENVELOPE' })
  const [span] = await collectSpans((tracer) =>
    runInSpan(tracer, start, async () => Promise.reject(failure)).catch(() => {}),
  )
  expect(span?.attributes).toEqual({ 'error.type': 'EENVELOPE' })
  expect(span?.status).toEqual({ code: 2 })
  expect(span?.events).toEqual([])
})

test('without a tracer, the function runs outside of each span', async () => {
  const seen = await runInSpan(null, start, async (span) => [span, getCurrentTraceparent()])
  expect(seen).toEqual([null, null])
})

test('work for several requests leaves the trace', () => {
  const seen = continueTrace(SAMPLED, () => [
    getCurrentTraceparent(),
    leaveTrace(getCurrentTraceparent),
  ])
  expect(seen).toEqual([SAMPLED, null])
})

test('a command has a span, a query only as a part of another span', async () => {
  const sent: Readonly<Record<string, string>>[] = []
  const send = async (headers: Readonly<Record<string, string>>) => void sent.push(headers)
  const spans = await collectSpans(async (tracer) => {
    const trace = createCallTracer(tracer)
    const commands = [{ type: 'ApproveDeposit' }]
    await trace({ path: '/v1/queries/head', commands: [] }, send)
    await trace({ path: '/v1/commands', commands }, send)
    await trace({ path: '/v1/commands', commands: [...commands, { type: 'DefinePlan' }] }, send)
    await continueTrace(SAMPLED, () => trace({ path: '/v1/queries/head', commands: [] }, send))
  })
  expect(spans.map(({ name }) => name)).toEqual([
    'ledger ApproveDeposit',
    'ledger commands',
    'ledger queries/head',
  ])
  expect(sent[0]).toEqual({})
  expect(sent.slice(1).map(({ traceparent = '' }) => traceparent.split('-')[2])).toEqual(
    spans.map((span) => span.spanContext().spanId),
  )
  expect(spans.at(-1)?.spanContext().traceId).toBe(TRACE)
})

test('spans that the collector does not accept are reported and lost', async () => {
  const { tracer, lost } = createTracer(1, {
    export: (_spans, done) => done({ code: 1, error: new Error('503') }),
    shutdown: async () => {},
  })
  tracer.start(start).end()
  await tracer.stop()
  expect(lost).toEqual([new Error('503')])
})

test('a collector that does not answer delays the end of a process only briefly', async () => {
  const { tracer } = createTracer(1, { export: () => {}, shutdown: async () => {} })
  tracer.start(start).end()
  await expect(tracer.stop()).resolves.toBeUndefined()
})
