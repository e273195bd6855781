import { trustAuthorities } from '@cairn/service-kit/service-tls'
import { startTracing } from '@cairn/service-kit/tracing/start-tracing'
import { pino } from 'pino'
import { RefusedToStart } from './service/check-ledgers.ts'
import { readServeConfig } from './service/config.ts'
import { registerGauge, startMetrics } from './service/metrics/metrics.ts'
import { registerServerGauges } from './service/metrics/server-gauges.ts'
import { startService } from './service/start-service.ts'

const config = readServeConfig(process.env)
trustAuthorities(config.authorities)
const log = pino({ name: 'ledger', level: config.logLevel })
const tracer = await startTracing(config.tracing, { name: 'cairn-ledger', log })
const service = await startService(config, log, { tracer }).catch((error: unknown) => {
  if (!(error instanceof RefusedToStart)) throw error
  error.logProblems(log)
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
startMetrics()
registerGauge({
  name: 'cairn_ledger_queue_depth',
  help: 'Commands that wait for the writer',
  read: () => service.countQueued(),
})
registerGauge({
  name: 'cairn_ledger_unavailable_places',
  help: 'Databases of this service that do not answer',
  read: () => service.countUnavailablePlaces(),
})
registerGauge({
  name: 'cairn_ledger_waits_for_standby',
  help: '1 if each commit waits for a synchronous standby, 0 if not, NaN if unknown',
  read: () =>
    service.readDurability().then(
      (durability) => (durability === 'standby' ? 1 : 0),
      () => Number.NaN,
    ),
})
registerServerGauges({
  tls: config.tls,
  checkpointDir: config.checkpointDir,
  readDatabaseStates: service.readDatabaseStates,
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    service
      .stop()
      .then(() => tracer?.stop())
      .then(() => process.exit())
      .catch((error) => log.error({ err: error }, 'the ledger did not stop cleanly'))
  })
}
