import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A span as the collector has received it. */
export interface ReceivedSpan {
  /** The name of the process that made the span. */
  readonly service: string
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly isFailed: boolean
  readonly attributes: Readonly<Record<string, unknown>>
  readonly links: readonly { traceId: string; spanId: string }[]
}

export interface TraceCollector {
  readonly url: string
  listSpans(): readonly ReceivedSpan[]
  /** Returns the bodies of all requests, to search them for data that must not be in them. */
  readBodies(): string
  /** Returns the headers of the last request. */
  getLastHeaders(): Readonly<Record<string, unknown>>
  close(): void
}

interface OtlpAttribute {
  key: string
  value: Readonly<Record<string, unknown>>
}
interface OtlpRequest {
  resourceSpans: {
    resource: { attributes: OtlpAttribute[] }
    scopeSpans: { spans: OtlpSpan[] }[]
  }[]
}
interface OtlpSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  status: { code: number }
  attributes: OtlpAttribute[]
  links: { traceId: string; spanId: string }[]
}
const STATUS_ERROR = 2

/** Starts a server that accepts spans as OTLP/HTTP in JSON, like an OpenTelemetry collector. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const bodies: string[] = []
  const spans: ReceivedSpan[] = []
  let lastHeaders: Readonly<Record<string, unknown>> = {}
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (request.method !== 'POST' || request.url !== '/v1/traces') {
      response.writeHead(404).end()
      return
    }
    lastHeaders = request.headers
    bodies.push(body)
    spans.push(...listReceivedSpans(JSON.parse(body)))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The cast is safe because a server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    listSpans: () => spans,
    readBodies: () => bodies.join('\n'),
    getLastHeaders: () => lastHeaders,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function listReceivedSpans({ resourceSpans }: OtlpRequest): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(readAttributes(resource.attributes)['service.name'])
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => toReceivedSpan(service, span)))
  })
}

function toReceivedSpan(service: string, span: OtlpSpan): ReceivedSpan {
  const { name, traceId, spanId, parentSpanId = '', status, links } = span
  const attributes = readAttributes(span.attributes)
  const isFailed = status.code === STATUS_ERROR
  return { service, name, traceId, spanId, parentSpanId, isFailed, attributes, links }
}

function readAttributes(attributes: readonly OtlpAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
