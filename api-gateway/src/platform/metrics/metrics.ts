import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

// A registry of its own, because both services define metrics of the same name in one test process.
const registry = new Registry()
const registers = [registry]

export const requestSeconds = new Histogram({
  registers,
  name: 'cairn_http_request_seconds',
  help: 'Time to answer a request, by declared path',
  labelNames: ['method', 'route', 'status'],
  buckets: SECONDS,
})
export const jobFailures = new Counter({
  registers,
  name: 'cairn_job_failures_total',
  help: 'Runs of jobs that failed and are tried again',
  labelNames: ['queue'],
})

/** A gauge whose value is read at each scrape. */
export function gauge(options: {
  name: string
  help: string
  read: () => number | Promise<number>
}): void {
  const { name, help, read } = options
  new Gauge({
    registers,
    name,
    help,
    async collect() {
      this.set(await read())
    },
  })
}

export function startMetrics(): void {
  collectDefaultMetrics({ register: registry })
}

/** The Prometheus text format. */
export async function renderMetrics(): Promise<string> {
  return registry.metrics()
}

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
