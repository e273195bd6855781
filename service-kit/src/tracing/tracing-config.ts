import { requireHttps } from '../service-tls.ts'

/** Where the spans of a process are sent to, and how many of its traces. */
export interface TracingConfig {
  /** The URL that receives spans as OTLP/HTTP. */
  url: string
  headers: Readonly<Record<string, string>>
  /** The share of the traces that are sent, from 0 to 1. */
  ratio: number
}

interface TracingVariables {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  readonly OTEL_EXPORTER_OTLP_HEADERS?: string | undefined
  readonly OTEL_TRACES_SAMPLER_ARG?: string | undefined
}

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/
/** Printable ASCII, so that a value cannot start another header. */
const HEADER_VALUE = /^[\x20-\x7e]*$/

/**
 * Returns null if OTEL_EXPORTER_OTLP_ENDPOINT is not set: the process then makes no spans. Throws an
 * error with a one-sentence message if a variable is invalid. No message contains a header, because
 * headers are secrets.
 */
export function readTracingConfig(variables: TracingVariables): TracingConfig | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint = '' } = variables
  if (endpoint === '') return null
  requireHttps('OTEL_EXPORTER_OTLP_ENDPOINT', [endpoint])
  const url = new URL(endpoint)
  url.pathname = `${url.pathname.replace(/\/{1,9}$/, '')}/v1/traces`
  return {
    url: url.href,
    headers: readHeaders(variables.OTEL_EXPORTER_OTLP_HEADERS ?? ''),
    ratio: readRatio(variables.OTEL_TRACES_SAMPLER_ARG ?? ''),
  }
}

function readRatio(text: string): number {
  if (text === '') return 1
  const ratio = /^\d(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (ratio >= 0 && ratio <= 1) return ratio
  throw new Error(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${text}"`)
}

/** Reads `name=value,name=value`, where values are percent-encoded. */
function readHeaders(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '')
  return Object.fromEntries(pairs.map(readHeader))
}

function readHeader(pair: string): [name: string, value: string] {
  const place = pair.indexOf('=')
  const name = pair.slice(0, Math.max(place, 0)).trim()
  const value = decodeValue(pair.slice(place + 1).trim())
  if (HEADER_NAME.test(name) && value !== null && HEADER_VALUE.test(value)) return [name, value]
  throw new Error(
    'OTEL_EXPORTER_OTLP_HEADERS must have the form name=value,name=value, with percent-encoded values',
  )
}

function decodeValue(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
