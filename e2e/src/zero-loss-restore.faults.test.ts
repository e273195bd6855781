import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createId } from '@cairn/ledger-contracts'
import type { Postgres } from '@cairn/local/postgres'
import { chooseTimeLimit } from '@cairn/local/time-limit'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type CrashablePostgres,
  startCrashablePostgres,
} from '../../ledger-service/test/support/crashable-postgres.ts'
import { recordFigure } from '../../ledger-service/test/support/figure.ts'
import { createRemoteLedger } from '../../ledger-service/test/support/remote-ledger.ts'
import {
  type ServiceProcess,
  startServiceProcess,
} from '../../ledger-service/test/support/service-process.ts'
import { createFundedInvestor } from '../../ledger-service/test/support/test-ledger.ts'
import { getArchivePath } from '../../local/src/backup/archive-settings.ts'
import { FILES, findBackup } from '../../local/src/backup/backup-folder.ts'
import { verifyLedger } from '../../local/src/backup/check-restored.ts'
import { recoverServer } from '../../local/src/backup/recover-server.ts'
import { takeBackup } from '../../local/src/backup/take-backup.ts'
import { startWalReceiver, type WalReceiver } from './wal-receiver.ts'

/** The number of acknowledged payments. The scorecard sets 20,000. */
const PAYMENTS = Number(process.env.TORTURE_RESTORED_PAYMENTS ?? 600)
const CLIENTS = 32
const RECEIVER = 'receiver'
const RECOVERY_MS_MAX = chooseTimeLimit(60_000)

let folder: string
let backupDir: string
let postgres: CrashablePostgres
let service: ServiceProcess
let receiver: WalReceiver | null
const recovered: Postgres[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-zero-loss-'))
  backupDir = join(folder, 'backups')
  receiver = null
  postgres = await startCrashablePostgres({ archiveDir: getArchivePath(backupDir) })
})
afterEach(async () => {
  await receiver?.stop()
  await service?.end('SIGKILL')
  for (const server of recovered.splice(0)) await server.stop()
  await postgres.drop()
  await rm(folder, { recursive: true, force: true })
})

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** Lets a commit wait until the receiver has it, from the next commit on. */
async function receiveLog(): Promise<void> {
  const { url } = postgres.database
  receiver = await startWalReceiver({
    url,
    name: RECEIVER,
    into: join(folder, 'received', 'pg_wal'),
  })
  await query(url, `alter system set synchronous_standby_names = '${RECEIVER}'`)
  await query(url, 'select pg_reload_conf()')
  await expect
    .poll(async () => {
      const [row] = await query<{ state: string }>(
        url,
        'select sync_state as state from pg_stat_replication',
      )
      return row?.state
    })
    .toBe('sync')
}

interface Chosen {
  /** The number of events in the log, of which the last one is the chosen event. */
  size: number
  at: Date
}

/**
 * Makes payments: a third before and during a backup, a third up to the chosen event, and a third
 * before the server is killed and its files are deleted. Returns the acknowledged payments.
 */
async function destroyUnderLoad(): Promise<{ acknowledged: ReadonlySet<string>; chosen: Chosen }> {
  const { url } = postgres.database
  const ledger = createRemoteLedger(service.client)
  const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
  const gift = { wallet: 'balance', amountMinor: 100n, category: null, reason: null } as const
  const acknowledged = new Set<string>()

  async function pay(): Promise<boolean> {
    const transactionId = createId(Date.now())
    const data = { ...gift, transactionId, investorId }
    // It is unknown whether a payment without an answer was recorded. It may be lost.
    const answer = await ledger.submit('FundWallet', data, { key: transactionId }).catch(() => null)
    if (answer?.outcome !== 'recorded') return false
    acknowledged.add(transactionId)
    return true
  }
  /** Pays until `count` payments are acknowledged, or until a payment fails. */
  async function payUntil(count: number): Promise<void> {
    const loop = async () => {
      while (acknowledged.size < count) if (!(await pay())) return
    }
    await Promise.all(Array.from({ length: CLIENTS }, loop))
  }

  await Promise.all([payUntil(PAYMENTS / 3), takeBackup({ ownerUrl: url, backupDir })])
  await payUntil((PAYMENTS * 2) / 3)
  const [chosen] = await query<Chosen>(
    url,
    'select size::int as size, clock_timestamp() as at from ledger.head where ledger_id = 1',
  )
  if (chosen === undefined) throw new Error('the log has no head')
  const paying = payUntil(Number.POSITIVE_INFINITY)
  await expect.poll(() => acknowledged.size, { interval: 5 }).toBeGreaterThanOrEqual(PAYMENTS)
  await postgres.crash()
  await service.end('SIGKILL')
  await paying
  await receiver?.stop()
  await rm(postgres.dataDir, { recursive: true })
  return { acknowledged, chosen }
}

/** Restores the newest state, or the state of a time, from the backup and the received log. */
async function restore(until: Date | null): Promise<string> {
  const backup = await findBackup(backupDir, { until, named: null })
  const lost = join(folder, 'received')
  const isReceived = await readdir(lost).then(
    () => true,
    () => false,
  )
  if (isReceived) {
    // The folder of a lost server has this file, which names the server.
    const control = join('global', 'pg_control')
    await mkdir(join(lost, 'global'), { recursive: true })
    await cp(join(backup.folder, FILES, control), join(lost, control))
  }
  const { password } = new URL(postgres.database.url)
  const server = await recoverServer({
    backup,
    backupDir,
    until,
    into: await mkdtemp(join(folder, 'restored-')),
    lost: isReceived ? lost : null,
    password,
    log: () => {},
  })
  recovered.push(server)
  return server.url()
}

async function readPayments(url: string): Promise<{ ids: ReadonlySet<string>; size: number }> {
  const rows = await query<{ id: string }>(
    url,
    `select convert_from(bytes, 'UTF8')::json -> 'data' ->> 'transactionId' as id
     from ledger.event where type = 'WalletFunded'`,
  )
  const [head] = await query<{ size: number }>(
    url,
    'select size::int as size from ledger.head where ledger_id = 1',
  )
  return { ids: new Set(rows.map(({ id }) => id)), size: head?.size ?? 0 }
}

describe('T18 a database server that is destroyed under load', () => {
  test('is restored from a backup and the received log: nothing acknowledged is lost', async ({
    task,
  }) => {
    await receiveLog()
    service = await startServiceProcess({
      databaseUrl: postgres.database.urlFor('cairn_ledger'),
      environment: { LEDGER_DURABILITY: 'standby' },
    })
    const { acknowledged, chosen } = await destroyUnderLoad()
    const began = performance.now()
    const newest = await restore(null)
    const recoveryMs = performance.now() - began
    const { ids } = await readPayments(newest)
    expect([...acknowledged].filter((id) => !ids.has(id))).toEqual([])
    expect(await verifyLedger(newest, 1)).toBe(true)
    expect(recoveryMs).toBeLessThanOrEqual(RECOVERY_MS_MAX)

    const earlier = await restore(chosen.at)
    expect((await readPayments(earlier)).size).toBe(chosen.size)
    expect(await verifyLedger(earlier, 1)).toBe(true)
    recordFigure(
      task,
      `0 of ${acknowledged.size} lost; recovered in ${(recoveryMs / 1_000).toFixed(1)} s, and to event ${chosen.size}; both verified`,
    )
  })

  test('sabotaged twin: from a backup and the archive alone, acknowledged payments are lost', async ({
    task,
  }) => {
    service = await startServiceProcess({
      databaseUrl: postgres.database.urlFor('cairn_ledger'),
    })
    const { acknowledged } = await destroyUnderLoad()
    const { ids } = await readPayments(await restore(null))
    const lost = [...acknowledged].filter((id) => !ids.has(id)).length
    expect(lost).toBeGreaterThan(0)
    recordFigure(task, `${lost} of ${acknowledged.size} lost`)
  })
})
