import { createMetrics } from '@cairn/service-kit/metrics'
import { Histogram } from 'prom-client'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const EVENTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000]

const metrics = createMetrics()
export const { registers } = metrics
export const { jobFailures, registerGauge, registerLabelledGauge, startMetrics, renderMetrics } =
  metrics

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
  help: 'Time that the database needs to commit a batch',
  labelNames: ['outcome'],
  buckets: SECONDS,
})
export const batchEvents = new Histogram({
  registers,
  name: 'cairn_ledger_batch_events',
  help: 'Number of events in a batch',
  buckets: EVENTS,
})
