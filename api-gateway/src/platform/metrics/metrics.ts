import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createMetrics } from '@cairn/service-kit/metrics'
import { Histogram } from 'prom-client'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

const metrics = createMetrics()
const { registers } = metrics
export const { jobFailures, registerGauge, startMetrics, renderMetrics } = metrics

export const requestSeconds = new Histogram({
  registers,
  name: 'cairn_http_request_seconds',
  help: 'Time to answer a request, by declared path',
  labelNames: ['method', 'route', 'status'],
  buckets: SECONDS,
})
/**
 * True for a direct client on this machine, or one with the service token. A request from a local
 * proxy counts as remote.
 */
export function mayReadMetrics(request: IncomingMessage, serviceToken: string): boolean {
  if (hasServiceToken(request, serviceToken)) return true
  const { headers, socket } = request
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  return !isForwarded && LOOPBACK.has(socket.remoteAddress ?? '')
}

export function hasServiceToken({ headers }: IncomingMessage, serviceToken: string): boolean {
  const given = Buffer.from(headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${serviceToken}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
