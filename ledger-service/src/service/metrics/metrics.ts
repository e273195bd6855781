import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const EVENTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000]

// Not prom-client's global registry: both services define metrics of the same name.
const registry = new Registry()
const registers = [registry]

export const requestSeconds = new Histogram({
  registers,
  name: 'cairn_ledger_http_request_seconds',
  help: 'Time to answer a call, by path',
  labelNames: ['path', 'status'],
  buckets: SECONDS,
})
export const commitSeconds = new Histogram({
  registers,
  name: 'cairn_ledger_commit_seconds',
  help: 'Time of the database to commit a batch',
  labelNames: ['outcome'],
  buckets: SECONDS,
})
export const batchEvents = new Histogram({
  registers,
  name: 'cairn_ledger_batch_events',
  help: 'Events that a batch added',
  buckets: EVENTS,
})
export const jobFailures = new Counter({
  registers,
  name: 'cairn_job_failures_total',
  help: 'Runs of jobs that failed and are tried again',
  labelNames: ['queue'],
})

/** Registers a gauge whose value is read at each scrape. */
export function registerGauge(options: {
  name: string
  help: string
  read: () => number | Promise<number>
}) {
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

/** Returns the metrics in the text format of Prometheus. */
export async function renderMetrics(): Promise<string> {
  return registry.metrics()
}
