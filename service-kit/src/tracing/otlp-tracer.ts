import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Span as ApiSpan,
  type Link,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { formatTraceparent, parseTraceparent } from './traceparent.ts'
import type { Attributes, Span, SpanStart, Tracer } from './tracer.ts'
import type { TracingConfig } from './tracing-config.ts'

/** Spans that wait for the collector. If more spans end, they are dropped. */
const QUEUED_SPANS_MAX = 16_384
const SPANS_PER_EXPORT_MAX = 512
const EXPORT_PAUSE_MS = 1_000
const EXPORT_TIMEOUT_MS = 5_000
/** A batch contains about 500 commands and possibly one group of linked commands. */
const LINKS_MAX = 1_000
const STOP_MS_MAX = 1_000

const KINDS: Readonly<Record<SpanStart['kind'], SpanKind>> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
}

export interface OtlpTracerOptions {
  config: TracingConfig
  /** The name of this process, such as `cairn-gateway`. */
  name: string
  /** Called if spans could not be sent. They are lost. */
  onLost: (error: Error | undefined) => void
  /** Replaces the exporter that sends spans to `config.url`. */
  exporter?: SpanExporter
}

/** Creates a tracer that sends its spans to a collector as OTLP/HTTP. */
export function createOtlpTracer(options: OtlpTracerOptions): Tracer {
  const { config, name } = options
  const exporter =
    options.exporter ??
    new OTLPTraceExporter({
      url: config.url,
      headers: { ...config.headers },
      timeoutMillis: EXPORT_TIMEOUT_MS,
    })
  const resource = resourceFromAttributes({
    'service.namespace': 'cairn',
    'service.name': name,
    'service.instance.id': randomUUID(),
  })
  const provider = new TracerProvider({
    resource: defaultResource().merge(resource),
    sampler: createSampler(config.ratio),
    spanLimits: { linkCountLimit: LINKS_MAX },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportLosses(exporter, options.onLost),
        maxQueueSize: QUEUED_SPANS_MAX,
        maxExportBatchSize: SPANS_PER_EXPORT_MAX,
        scheduledDelayMillis: EXPORT_PAUSE_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  })
  const tracer = provider.getTracer('cairn')
  return {
    start: ({ name, kind, parent, links = [], attributes = {} }) => {
      const place = parseTraceparent(parent)
      const context =
        place === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, toSpanContext(place))
      const kept = { kind: KINDS[kind], attributes: omitNulls(attributes), links: toLinks(links) }
      return toSpan(tracer.startSpan(name, kept, context))
    },
    stop: async () => {
      const timeout = delay(STOP_MS_MAX, undefined, { ref: false })
      await Promise.race([provider.shutdown().catch(() => {}), timeout])
    },
  }
}

/**
 * A span follows the decision of its parent. A span that starts a trace is sampled if one of its
 * links is sampled, so that a batch is sent together with its commands, otherwise by the ratio.
 */
function createSampler(ratio: number): Sampler {
  const byRatio = new TraceIdRatioBasedSampler(ratio)
  const root: Sampler = {
    shouldSample: (_context, traceId, _name, _kind, _attributes, links) => {
      if (links.some(({ context }) => (context.traceFlags & TraceFlags.SAMPLED) !== 0))
        return { decision: SamplingDecision.RECORD_AND_SAMPLED }
      return byRatio.shouldSample(ROOT_CONTEXT, traceId)
    },
    toString: () => `LinkBased{${byRatio.toString()}}`,
  }
  return new ParentBasedSampler({ root })
}

function reportLosses(exporter: SpanExporter, onLost: OtlpTracerOptions['onLost']): SpanExporter {
  return {
    shutdown: () => exporter.shutdown(),
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== 0) onLost(result.error)
        done(result)
      }),
  }
}

function toSpan(span: ApiSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext()
  const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0
  return {
    traceparent: formatTraceparent({ traceId, spanId, isSampled }),
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(omitNulls(attributes)),
    fail: (type) => {
      span.setAttribute('error.type', type)
      span.setStatus({ code: SpanStatusCode.ERROR })
    },
    end: () => span.end(),
  }
}

function toSpanContext({ traceId, spanId, isSampled }: ParsedPlace) {
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE
  return { traceId, spanId, traceFlags, isRemote: true }
}
type ParsedPlace = NonNullable<ReturnType<typeof parseTraceparent>>

function toLinks(traceparents: readonly string[]): Link[] {
  return traceparents.flatMap((traceparent) => {
    const place = parseTraceparent(traceparent)
    return place === null ? [] : [{ context: toSpanContext(place) }]
  })
}

function omitNulls(attributes: Attributes): Record<string, string | number | boolean> {
  const kept: Record<string, string | number | boolean> = {}
  for (const [name, value] of Object.entries(attributes)) if (value !== null) kept[name] = value
  return kept
}
