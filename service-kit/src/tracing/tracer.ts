import { AsyncLocalStorage } from 'node:async_hooks'

type SpanKind = 'internal' | 'server' | 'client' | 'consumer'

/**
 * Attributes of a span. They leave the platform, so they contain no personal data, amounts, tokens
 * or URLs with queries. A null is left out.
 */
export type Attributes = Readonly<Record<string, string | number | boolean | null>>

export interface SpanStart {
  name: string
  kind: SpanKind
  /** The traceparent of the parent. If null, the span starts a new trace. */
  parent: string | null
  /** The traceparents of spans that belong to this span but are not its parent. */
  links?: readonly string[]
  attributes?: Attributes
}

export interface Span {
  /** The value with which another process continues the trace. */
  readonly traceparent: string
  rename(name: string): void
  set(attributes: Attributes): void
  /** Marks the span as failed. `type` is a code or the name of a class, never a message. */
  fail(type: string): void
  end(): void
}

/** Starts the spans of a process. A process without traces has no tracer. */
export interface Tracer {
  start(span: SpanStart): Span
  /** Sends the ended spans to the collector. Gives up after a limited time and never throws. */
  stop(): Promise<void>
}

const scope = new AsyncLocalStorage<string>()

/** Runs the function as a part of the span with this traceparent. */
export function continueTrace<Result>(traceparent: string, run: () => Result): Result {
  return scope.run(traceparent, run)
}

/** Runs the function outside of each span, for work that several requests share. */
export function leaveTrace<Result>(run: () => Result): Result {
  return scope.exit(run)
}

/** Returns the traceparent of the span of which the caller is a part; null if there is none. */
export function getCurrentTraceparent(): string | null {
  return scope.getStore() ?? null
}

/**
 * Runs the function as a span whose parent is the current span. A rejection marks the span as
 * failed. Without a tracer, only runs the function.
 */
export async function runInSpan<Result>(
  tracer: Tracer | null,
  start: Omit<SpanStart, 'parent'> & { parent?: string | null },
  run: (span: Span | null) => Promise<Result>,
): Promise<Result> {
  if (tracer === null) return run(null)
  const span = tracer.start({ parent: getCurrentTraceparent(), ...start })
  try {
    return await continueTrace(span.traceparent, () => run(span))
  } catch (error) {
    span.fail(getErrorType(error))
    throw error
  } finally {
    span.end()
  }
}

/** Returns the code of an error or the name of its class. The message can contain personal data. */
export function getErrorType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
