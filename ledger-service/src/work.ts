import { createLedgerClient } from '@cairn/ledger-contracts'
import { createCertificateGauge } from '@cairn/service-kit/certificate-gauge'
import { trustAuthorities } from '@cairn/service-kit/service-tls'
import { createCallTracer } from '@cairn/service-kit/tracing/ledger-calls'
import { startTracing } from '@cairn/service-kit/tracing/start-tracing'
import { pino } from 'pino'
import { readWorkConfig } from './service/config.ts'
import { createHttpServer } from './service/http/server.ts'
import { startAccruals } from './service/jobs/accrual-worker.ts'
import { startJobs } from './service/jobs/boss.ts'
import { startMonthEnds } from './service/jobs/month-ends.ts'
import { createAccrualLag, createJobRoutes } from './service/jobs/report.ts'
import { registerGauge, renderMetrics, startMetrics } from './service/metrics/metrics.ts'

const STOP_MS = 4_000

const config = readWorkConfig(process.env)
trustAuthorities(config.authorities)
const { clock, host, port } = config
const log = pino({ name: 'ledger-worker', level: config.logLevel })
const tracer = await startTracing(config.tracing, { name: 'cairn-ledger-worker', log })
const calling = {
  url: config.ledgerUrl,
  token: config.token,
  ...(tracer === null ? {} : { trace: createCallTracer(tracer) }),
}
const ledgers = Array.from({ length: config.ledgers }, (_, index) =>
  createLedgerClient({ ...calling, ledger: index + 1 }),
)
const boss = await startJobs({ databaseUrl: config.databaseUrl, log })
await startAccruals({ boss, ledgers, clock, log, tracer })
await startMonthEnds({ boss, ledgers, log, tracer })

const readAccrualLag = createAccrualLag({ ledgers, clock })
startMetrics()
registerGauge({
  name: 'cairn_accrual_lag_seconds',
  help: 'Age of the oldest due profit that is not credited',
  read: () => readAccrualLag().catch(() => -1),
})
const certificate = createCertificateGauge(config.tls)
if (certificate !== null) registerGauge(certificate)
const server = createHttpServer({
  tokens: config.tokens,
  tls: config.tls,
  log,
  routes: {
    'GET /metrics': {
      needs: 'canReadMetrics',
      handle: async () => ({ status: 200, body: null, text: await renderMetrics() }),
    },
    ...createJobRoutes({ boss, readAccrualLag }),
    'GET /healthz': {
      needs: null,
      handle: async () => {
        const isUp = await boss.isInstalled().catch(() => false)
        return { status: isUp ? 200 : 503, body: { status: isUp ? 'ok' : 'unavailable' } }
      },
    },
  },
})
server.listen(port, host, () => log.info({ host, port }, 'the ledger worker has started'))

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    server.close()
    void boss
      .stop({ graceful: true, timeout: STOP_MS })
      .catch((error) => log.error({ err: error }, 'the worker did not stop cleanly'))
      .then(() => tracer?.stop())
      .finally(() => process.exit())
  })
}
