import type { LedgerClient } from '@cairn/ledger-contracts'
import { createCertificateGauge } from '@cairn/service-kit/certificate-gauge'
import { trustAuthorities } from '@cairn/service-kit/service-tls'
import { startTracing } from '@cairn/service-kit/tracing/start-tracing'
import { sql } from 'kysely'
import { pino } from 'pino'
import { feedAnnouncements } from './features/announcements/feeder.ts'
import { createAuditSealer } from './features/audit-log/sealer.ts'
import { createSecurityStream, queueSecurityMails } from './features/audit-log/security-stream.ts'
import { createCashFollower } from './features/bank-statements/cash-movements.ts'
import { createBonusFollower } from './features/charts/bonuses.ts'
import { createCreditFollower } from './features/charts/credits.ts'
import { createChartFollower } from './features/charts/follower.ts'
import { requireErasures } from './features/closing/repeat-erasures.ts'
import { createStatementMaker } from './features/documents/make-statements.ts'
import {
  createVerificationGauges,
  verifyEachNightly,
} from './features/explorer/nightly-verification.ts'
import { pruneTables } from './features/jobs/prune-tables.ts'
import { createCopyAgeGauge } from './features/ledgers/copy-age.ts'
import { createRuleCopying } from './features/ledgers/copy-rules.ts'
import { createNotificationFollower } from './features/notifications/follower.ts'
import { remindOfPasswords } from './features/passwords/password-reminders.ts'
import { activateWaitingInvestors } from './features/users/activation.ts'
import { createAvailableFollower } from './features/users/available-follower.ts'
import { processHoldRequests } from './features/withdrawals/credential-holds.ts'
import { readWorkConfig } from './platform/config.ts'
import { openDatabases } from './platform/database/database.ts'
import { wrapWithPrivateTexts } from './platform/erasure/private-text.ts'
import { createObjectStore } from './platform/files/object-store.ts'
import { createReceiptFollower, isCaughtUp, sweepFiles } from './platform/files/sweep.ts'
import { drainServer, listen } from './platform/http/server.ts'
import { createFurtherFollowing, startFollowers } from './platform/jobs/follow-ledgers.ts'
import { runQueue, startBoss } from './platform/jobs/job.ts'
import { readLags, readMailLagSeconds } from './platform/jobs/lags.ts'
import { repeat } from './platform/jobs/repeat.ts'
import { createWorkerClient } from './platform/jobs/worker-client.ts'
import { createWorkerServer } from './platform/jobs/worker-server.ts'
import { createKeyRing } from './platform/keys/key-ring.ts'
import { createOutboxSeal } from './platform/keys/seal.ts'
import { connectLedger } from './platform/ledger-client/connect.ts'
import { createLedgerHomes } from './platform/ledger-client/ledger-homes.ts'
import { createSiteClient } from './platform/ledger-client/site-client.ts'
import { requireSiteLedger } from './platform/ledger-client/site-ledger.ts'
import { createSiteLedgers } from './platform/ledger-client/site-ledgers.ts'
import { feedAdminMails } from './platform/mail/admin-mail-feeder.ts'
import { deliverMail } from './platform/mail/deliver.ts'
import { createMailFollower } from './platform/mail/event-follower.ts'
import { feedFailedJobs } from './platform/mail/failed-jobs-feeder.ts'
import { MAIL_QUEUE, MailPayload } from './platform/mail/mail-job.ts'
import { openMailTransports } from './platform/mail/mail-transports.ts'
import { feedOutbox } from './platform/mail/outbox-feeder.ts'
import { registerGauge, registerLabelledGauge, startMetrics } from './platform/metrics/metrics.ts'
import { createSettings } from './platform/settings-store/site-settings.ts'

const STOP_AFTER_MS = 5_000
const BOSS_STOP_MS = 3_000
const OUTBOX_PAUSE_MS = 500
const ANNOUNCEMENTS_PAUSE_MS = 2_000
const ADMIN_MAIL_PAUSE_MS = 10_000
const FAILED_JOBS_PAUSE_MS = 60_000
const STATEMENTS_PAUSE_MS = 5_000
const SWEEP_PAUSE_MS = 30_000
const ACTIVATION_PAUSE_MS = 5_000
const HOLD_PAUSE_MS = 2_000
const REMINDER_PAUSE_MS = 30_000
const AUDIT_PAUSE_MS = 1_000
const PRUNING_PAUSE_MS = 60_000
const VERIFICATION_PAUSE_MS = 60_000
const LEDGERS_PAUSE_MS = 5_000
const RULES_PAUSE_MS = 2_000

const config = readWorkConfig(process.env)
trustAuthorities(config.authorities)
const log = pino({ name: 'gateway-worker', level: config.logLevel })
const { clock, publicUrl } = config
const tracer = await startTracing(config.tracing, { name: 'cairn-gateway-worker', log })
const { db, nested } = openDatabases({
  url: config.databaseUrl,
  applicationName: 'cairn-gateway-worker',
  onError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
})
const ledgers = createSiteLedgers({
  first: config.ledger,
  connect,
  homes: createLedgerHomes(nested, clock),
})
const firstLedger = ledgers.getClient(config.ledger)
const ledger = createSiteClient(ledgers)
const seal = createOutboxSeal(createKeyRing(config.outboxKey))
const settings = createSettings(nested, { isDemo: false, publicUrl })
const objects = config.objectStore === null ? null : createObjectStore(config.objectStore)
const { transport, announcements, close: closeTransports } = openMailTransports(config.smtpUrl)
const boss = await startBoss({ url: config.databaseUrl, log })
await requireSiteLedger(db, config.ledger)
await requireErasures(db)
await runQueue(
  boss,
  {
    queue: MAIL_QUEUE,
    payload: MailPayload,
    retryLimit: 10,
    retryDelaySeconds: 2,
    expireSeconds: 300,
    handle: (payload) =>
      deliverMail(
        { db, ledger, ledgers, clock, seal, settings, transport, announcements, publicUrl, tracer },
        payload,
      ),
  },
  log,
  tracer,
)

const { serviceToken } = config
const workers = config.workerUrls.map((url) => createWorkerClient({ url, token: serviceToken }))
const stopping = new AbortController()
const { signal } = stopping
const followers = [
  createMailFollower(boss),
  createNotificationFollower({ clock, settings }),
  createChartFollower(),
  createCreditFollower(),
  createBonusFollower(),
  createAvailableFollower(),
  createReceiptFollower(),
  createCashFollower(),
]
const following = { db, clock, log, signal, followers }
const furtherLedgers = createFurtherFollowing({ ...following, connect })
const loops = [
  repeat({
    name: 'outbox',
    pauseMs: OUTBOX_PAUSE_MS,
    signal,
    log,
    run: () => feedOutbox({ db, boss, clock }),
  }),
  repeat({ name: 'announcements', pauseMs: ANNOUNCEMENTS_PAUSE_MS, signal, log, run: announce }),
  repeat({
    name: 'office mail',
    pauseMs: ADMIN_MAIL_PAUSE_MS,
    signal,
    log,
    run: () => feedAdminMails({ db, boss, ledgers, settings, nowMs: clock.now() }),
  }),
  repeat({
    name: 'failed jobs',
    pauseMs: FAILED_JOBS_PAUSE_MS,
    signal,
    log,
    run: () => feedFailedJobs({ boss, workers, settings, nowMs: clock.now() }),
  }),
  repeat({
    name: 'statements',
    pauseMs: STATEMENTS_PAUSE_MS,
    signal,
    log,
    run: createStatementMaker({ db, ledgers, clock, settings, boss, log }),
  }),
  ...startFollowers(following, { ledger: firstLedger }),
  repeat({
    name: 'further ledgers',
    pauseMs: LEDGERS_PAUSE_MS,
    signal,
    log,
    run: furtherLedgers.refresh,
  }),
  repeat({
    name: 'rule copies',
    pauseMs: RULES_PAUSE_MS,
    signal,
    log,
    run: createRuleCopying({ db, clock, log, signal, ledgers }),
  }),
  repeat({
    name: 'password reminders',
    pauseMs: REMINDER_PAUSE_MS,
    signal,
    log,
    run: () => remindOfPasswords({ db, clock, seal, settings }),
  }),
  repeat({
    name: 'audit sealer',
    pauseMs: AUDIT_PAUSE_MS,
    signal,
    log,
    run: createAuditSealer({
      db,
      ledger,
      clock,
      beforeChained: (rows) => queueSecurityMails(boss, rows),
      onChained: createSecurityStream(pino({ name: 'security', level: 'info' })),
    }),
  }),
  repeat({ name: 'sweep', pauseMs: SWEEP_PAUSE_MS, signal, log, run: sweepUnusedFiles }),
  repeat({
    name: 'credential holds',
    pauseMs: HOLD_PAUSE_MS,
    signal,
    log,
    run: () => processHoldRequests({ db, ledger }, clock.now()),
  }),
  repeat({
    name: 'pruning',
    pauseMs: PRUNING_PAUSE_MS,
    signal,
    log,
    run: () => pruneTables({ db, ledger }, clock.now()),
  }),
  repeat({
    name: 'verification',
    pauseMs: VERIFICATION_PAUSE_MS,
    signal,
    log,
    run: verifyLedgers,
  }),
  repeat({
    name: 'activation',
    pauseMs: ACTIVATION_PAUSE_MS,
    signal,
    log,
    run: () => activateWaitingInvestors({ db, ledger }, clock.now()),
  }),
]

function announce(): Promise<number> {
  return feedAnnouncements({ db, boss, clock })
}

function connect(number: number): LedgerClient {
  const { ledgerUrls: urls, serviceToken: token } = config
  return wrapWithPrivateTexts(connectLedger({ urls, ledger: number, token, tracer }), nested)
}

async function verifyLedgers(): Promise<void> {
  const numbers = await ledgers.list()
  const clients = numbers.map((number) => ledgers.getClient(number))
  await verifyEachNightly({ boss, ledgers: clients, nowMs: clock.now() })
}

async function sweepUnusedFiles(): Promise<void> {
  const ledgers = [{ ledger: firstLedger }, ...(await furtherLedgers.refresh())]
  const isUpToDate = await isCaughtUp(db, { follower: 'receipts.v1', ledgers })
  await sweepFiles({ db, objects }, { nowMs: clock.now(), isUpToDate })
}

startMetrics()
registerGauge({
  name: 'cairn_mail_lag_seconds',
  help: 'Age of the oldest waiting mail',
  read: () => readMailLagSeconds({ db, clock }).catch(() => -1),
})
createVerificationGauges(ledgers, clock.now).forEach(registerLabelledGauge)
registerLabelledGauge(createCopyAgeGauge({ db, clock }))
const certificate = createCertificateGauge(config.tls)
if (certificate !== null) registerGauge(certificate)
const readAllLags = async () =>
  readLags({ db, ledger, clock, followers, furtherLedgers: await furtherLedgers.refresh() })
const server = await listen(
  createWorkerServer({
    boss,
    callers: config.callers,
    isHealthy: isWorking,
    readLags: readAllLags,
    log,
  }),
  config,
)
log.info({ port: config.port }, 'working')

async function isWorking(): Promise<boolean> {
  try {
    await sql`select 1`.execute(db)
    return loops.every((loop) => loop.isHealthy())
  } catch {
    return false
  }
}

async function stop(reason: string): Promise<void> {
  log.info({ signal: reason }, 'stopping')
  setTimeout(() => process.exit(1), STOP_AFTER_MS).unref()
  stopping.abort()
  await Promise.all([
    drainServer(server),
    boss.stop({ graceful: true, timeout: BOSS_STOP_MS }),
    ...loops.map((loop) => loop.stopped),
    furtherLedgers.waitForEnd(),
  ])
  closeTransports()
  await Promise.all([db.destroy(), nested.destroy()])
  await tracer?.stop()
  process.exit(0)
}
process.once('SIGTERM', () => stop('SIGTERM'))
process.once('SIGINT', () => stop('SIGINT'))
