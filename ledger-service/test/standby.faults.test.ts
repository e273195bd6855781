import { setTimeout as delay } from 'node:timers/promises'
import { createId } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPostgresStore } from '../src/log/postgres-store.ts'
import { createBatchStatement } from '../src/log/statement.ts'
import { type Store, wrapSessions } from '../src/log/store.ts'
import { Unconfirmed } from '../src/service/database/confirmed.ts'
import { createPool } from '../src/service/database/pool.ts'
import { type CrashablePostgres, startCrashablePostgres } from './support/crashable-postgres.ts'
import { recordFigure } from './support/figure.ts'
import { STANDBY_NAME, type Standby, startStandby } from './support/standby.ts'
import { createFundedInvestor, startTestLedger, type TestLedger } from './support/test-ledger.ts'

const CLIENTS = 8
const ACKNOWLEDGED_MIN = 200
const CANCELLED_MIN = 12

let primary: CrashablePostgres
let standby: Standby
let superuser: pg.Pool
beforeAll(async () => {
  primary = await startCrashablePostgres()
  standby = await startStandby(primary)
  superuser = createPool({ url: primary.database.url, max: 2, name: 'superuser' })
  // The writer must receive the warnings even if the settings of its role suppress them.
  await superuser.query('alter role cairn_ledger set client_min_messages = error')
})
afterAll(async () => {
  // Without this reset, connections that wait for a confirmation of the standby would never end.
  await nameStandby('')
  await superuser.end()
  await standby.drop()
  await primary.drop()
})

/**
 * Sabotaged twin: the writer treats a commit as confirmed, although PostgreSQL warned that the
 * standby did not confirm the commit.
 */
const ignoringNotices = wrapSessions((session) => ({
  ...session,
  append: (move, rows) =>
    session.append(move, rows).catch((error) => {
      if (error instanceof Unconfirmed) return 'written'
      throw error
    }),
}))

/** Sabotaged twin: a writer takes over the log with a commit that does not wait for the standby. */
function takeHeadWithoutCheck(store: Store): Store {
  const url = new URL(primary.database.urlFor('cairn_ledger'))
  url.searchParams.set('options', '-c synchronous_commit=local')
  const statement = createBatchStatement([])
  const options = {
    ledger: 3,
    databaseUrl: url.href,
    statement,
    isClockChecked: true,
    modelVersion: 1,
  }
  return wrapSessions((session) => ({
    ...session,
    takeHead: async (nowMs) => {
      const hasty = await createPostgresStore(options).open()
      try {
        return await hasty.takeHead(nowMs)
      } finally {
        await hasty.close()
      }
    },
  }))(store)
}

/**
 * Submits commands until `stop` is called. Repeats each command with the same idempotency key until
 * the command is answered.
 */
async function startLoad(ledger: TestLedger) {
  const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
  const gift = { wallet: 'balance', amountMinor: 100n, category: null, reason: null } as const
  const acknowledged = new Map<string, string>()
  let isRunning = true

  async function fundInLoop(): Promise<void> {
    while (isRunning) {
      const transactionId = createId(Date.now())
      const data = { ...gift, transactionId, investorId }
      let answer = await ledger.submit('FundWallet', data, { key: transactionId })
      while (answer.outcome === 'failed' && isRunning) {
        await delay(20)
        answer = await ledger.submit('FundWallet', data, { key: transactionId })
      }
      if (answer.outcome === 'recorded') acknowledged.set(transactionId, String(answer.event.seq))
    }
  }

  const clients = Promise.all(Array.from({ length: CLIENTS }, fundInLoop))
  return {
    acknowledged,
    stop: async () => {
      isRunning = false
      await clients
    },
  }
}

async function nameStandby(name: string): Promise<void> {
  await superuser.query(`alter system set synchronous_standby_names = '${name}'`)
  await superuser.query('select pg_reload_conf()')
}

/** Ends the wait of all writers that wait for the standby. Returns the ledgers of these writers. */
async function cancelWaiting(): Promise<readonly number[]> {
  const { rows } = await superuser.query<{ ledger: string }>(
    `select substr(application_name, 8) as ledger from pg_stat_activity
     where wait_event = 'SyncRep' and application_name like 'ledger-_' and pg_cancel_backend(pid)`,
  )
  return rows.map(({ ledger }) => Number(ledger))
}

const LEDGERS = [
  { ledger: 1, wrapStore: (store: Store) => store },
  { ledger: 2, wrapStore: ignoringNotices },
  { ledger: 3, wrapStore: takeHeadWithoutCheck },
]

test('what is acknowledged survives the primary, also if waiting writers are cancelled', async ({
  task,
}) => {
  const ledgers = await Promise.all(
    LEDGERS.map((parts) => startTestLedger({ ...parts, database: primary.database })),
  )
  await nameStandby(STANDBY_NAME)
  const readStates = async () =>
    (await superuser.query('select sync_state from pg_stat_replication')).rows
  await expect.poll(readStates).toEqual([{ sync_state: 'sync' }])
  const loads = await Promise.all(ledgers.map(startLoad))
  const countFewestAcknowledged = () =>
    Math.min(...loads.map(({ acknowledged }) => acknowledged.size))
  await expect.poll(countFewestAcknowledged, { timeout: 60_000 }).toBeGreaterThan(ACKNOWLEDGED_MIN)

  await standby.stop()
  const cancelled = new Map<number, number>()
  while (LEDGERS.some(({ ledger }) => (cancelled.get(ledger) ?? 0) < CANCELLED_MIN)) {
    for (const ledger of await cancelWaiting())
      cancelled.set(ledger, (cancelled.get(ledger) ?? 0) + 1)
    await delay(10)
  }
  const events = await standby.promote<{ id: string; seq: string }>(
    `select ledger_id || (convert_from(bytes, 'UTF8')::json -> 'data' ->> 'transactionId') as id, seq
     from ledger.event where type = 'WalletFunded'`,
  )
  const stored = new Map(events.map(({ id, seq }) => [id, seq]))
  const lost = loads.map(({ acknowledged }, index) =>
    [...acknowledged].filter(([id, seq]) => stored.get(`${index + 1}${id}`) !== seq),
  )
  await nameStandby('')
  await Promise.all(loads.map(({ stop }) => stop()))
  await Promise.all(ledgers.map(({ close }) => close()))

  const [honest, hasty, forgetful] = lost.map(({ length }) => length)
  expect(honest).toBe(0)
  expect(hasty).toBeGreaterThan(0)
  expect(forgetful).toBeGreaterThan(0)
  recordFigure(
    task,
    `0 of ${loads[0]?.acknowledged.size} lost, ${cancelled.get(1)} waits cancelled; ` +
      `twins lost ${hasty} and ${forgetful}`,
  )
})
