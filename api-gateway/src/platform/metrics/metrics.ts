import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { hashToBase64url } from '@cairn/service-kit/hash-text'
import { createMetrics } from '@cairn/service-kit/metrics'
import { Counter, Gauge, Histogram } from 'prom-client'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

const metrics = createMetrics()
const { registers } = metrics
export const { jobFailures, registerGauge, registerLabelledGauge, startMetrics, renderMetrics } =
  metrics
export type GaugeOptions = Parameters<typeof registerGauge>[0]
export type LabelledGaugeOptions = Parameters<typeof registerLabelledGauge>[0]

export const requestSeconds = new Histogram({
  registers,
  name: 'cairn_http_request_seconds',
  help: 'Time to answer a request, by declared path',
  labelNames: ['method', 'route', 'status'],
  buckets: SECONDS,
})
/** Requests of the API that were refused because too many requests were in progress. */
export const shedRequests = new Counter({
  registers,
  name: 'cairn_http_shed_requests_total',
  help: 'Requests of the API that were refused because too many requests were in progress',
})
/**
 * Number of security events in the audit log. Only the gateway worker that seals the rows counts
 * them.
 */
export const securityEvents = new Counter({
  registers,
  name: 'cairn_security_events_total',
  help: 'Rows of the audit log, by kind of security event',
  labelNames: ['kind'],
})
/** A value above a minute means that rows are not sealed in time. */
export const auditWaitingSeconds = new Gauge({
  registers,
  name: 'cairn_audit_waiting_seconds',
  help: 'Age of the oldest row of the audit log that no seal in the ledger covers',
})
/** The worker tries again, so a person whose statement always fails is counted several times. */
export const statementFailures = new Counter({
  registers,
  name: 'cairn_statement_failures_total',
  help: 'Attempts to make a monthly statement that failed',
})
/**
 * Returns true for a request with a token for the metrics, and for a direct request from this
 * machine. A request through a local proxy is not direct.
 */
export function mayReadMetrics(request: IncomingMessage, tokens: readonly string[]): boolean {
  if (hasToken(request, tokens)) return true
  const { headers, socket } = request
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  return !isForwarded && LOOPBACK.has(socket.remoteAddress ?? '')
}

export function hasToken({ headers }: IncomingMessage, tokens: readonly string[]): boolean {
  const given = Buffer.from(hashToBase64url(headers.authorization ?? ''))
  // `filter` compares all tokens, so that the response time reveals nothing about the tokens.
  return (
    tokens.filter((token) =>
      timingSafeEqual(given, Buffer.from(hashToBase64url(`Bearer ${token}`))),
    ).length > 0
  )
}
