/** The place of a span in a trace, as the header `traceparent` of W3C Trace Context passes it on. */
export interface TracePlace {
  /** 32 hexadecimal digits. */
  traceId: string
  /** 16 hexadecimal digits. */
  spanId: string
  /** True if the spans of this trace are sent to the collector. */
  isSampled: boolean
}

const VERSION_0 = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const ONLY_ZEROS = /^0+$/
const SAMPLED = 1

/** Returns null if the text is not a valid `traceparent` of version 0. */
export function parseTraceparent(text: unknown): TracePlace | null {
  if (typeof text !== 'string') return null
  const [, traceId = '', spanId = '', flags = ''] = VERSION_0.exec(text) ?? []
  if (flags === '' || ONLY_ZEROS.test(traceId) || ONLY_ZEROS.test(spanId)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED }
}

export function formatTraceparent({ traceId, spanId, isSampled }: TracePlace): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}
