import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/** The metrics of one service. */
export interface Metrics {
  registers: Registry[]
  jobFailures: Counter<'queue'>
  /** Registers a gauge whose value is read at each scrape. */
  registerGauge(options: { name: string; help: string; read: () => number | Promise<number> }): void
  /** Registers a gauge whose values are read at each scrape, one for each value of the label. */
  registerLabelledGauge(options: {
    name: string
    help: string
    label: string
    read: () => Promise<ReadonlyMap<string, number>>
  }): void
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
    registerLabelledGauge: ({ name, help, label, read }) => {
      new Gauge({
        registers,
        name,
        help,
        labelNames: [label],
        async collect() {
          const values = await read()
          this.reset()
          for (const [value, amount] of values) this.set({ [label]: value }, amount)
        },
      })
    },
    startMetrics: () => collectDefaultMetrics({ register: registry }),
    renderMetrics: () => registry.metrics(),
  }
}
