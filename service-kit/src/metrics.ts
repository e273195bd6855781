import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/** The metrics of one service. */
export interface Metrics {
  registers: Registry[]
  jobFailures: Counter<'queue'>
  /** Registers a gauge whose value is read at each scrape. */
  registerGauge(options: { name: string; help: string; read: () => number | Promise<number> }): void
  startMetrics(): void
  /** Returns the metrics in the text format of Prometheus. */
  renderMetrics(): Promise<string>
}

export function createMetrics(): Metrics {
  // The global registry of prom-client is not used, because tests run two services in one process.
  const registry = new Registry()
  const registers = [registry]
  const jobFailures = new Counter({
    registers,
    name: 'cairn_job_failures_total',
    help: 'Job runs that failed',
    labelNames: ['queue'],
  })

  return {
    registers,
    jobFailures,
    registerGauge: ({ name, help, read }) => {
      new Gauge({
        registers,
        name,
        help,
        async collect() {
          this.set(await read())
        },
      })
    },
    startMetrics: () => collectDefaultMetrics({ register: registry }),
    renderMetrics: () => registry.metrics(),
  }
}
