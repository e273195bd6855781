import { createLedgerClient, type LedgerClient } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createReplica, type Replica } from '../src/queries/replica.ts'
import { createPool } from '../src/service/database/pool.ts'
import { type CrashablePostgres, startCrashablePostgres } from './support/crashable-postgres.ts'
import { type HttpLedger, type HttpLedgers, startHttpLedgers } from './support/http-ledgers.ts'
import { createRemoteLedger } from './support/remote-ledger.ts'
import { TEST_TOKEN } from './support/service-process.ts'
import { type Standby, startStandby } from './support/standby.ts'
import { createFundedInvestor } from './support/test-ledger.ts'

const REST_MS = 50

let primary: CrashablePostgres
let standby: Standby
let superuser: pg.Pool
let primaryPool: pg.Pool
let replicaPool: pg.Pool
let ledgers: HttpLedgers
let replica: Replica
let ledger: HttpLedger
beforeAll(async () => {
  primary = await startCrashablePostgres()
  standby = await startStandby(primary)
  superuser = createPool({ url: standby.urlFor(), max: 1, name: 'superuser' })
  const url = primary.database.urlFor('cairn_ledger')
  primaryPool = createPool({ url, max: 2, name: 'primary' })
  replicaPool = createPool({ url: standby.urlFor('cairn_ledger'), max: 2, name: 'replica' })
  replica = createReplica({
    primary: primaryPool,
    replica: replicaPool,
    log: pino({ level: 'silent' }),
    restMs: REST_MS,
  })
  ledgers = await startHttpLedgers({ database: primary.database })
  ledger = await ledgers.open({ replica })
})
afterAll(async () => {
  await ledger.close()
  await ledgers.close()
  await Promise.all([superuser, primaryPool, replicaPool].map((pool) => pool.end()))
  await standby.drop()
  await primary.drop()
})

const createClient = () =>
  createLedgerClient({ url: ledgers.url, token: TEST_TOKEN, ledger: ledger.number })
const fundInvestor = (client: LedgerClient) =>
  createFundedInvestor(createRemoteLedger(client), { amountMinor: 500n })

async function readBalance(client: LedgerClient, investorId: string): Promise<bigint | null> {
  const { investors } = await client.ask('investors', { investorIds: [investorId] })
  return investors[0]?.available.balance ?? null
}

/** Tells whether a server that copies the database answers the query. */
function isCopyAsked(minSeq: bigint | null): Promise<boolean> {
  return replica.read({ name: 'investors', ledger: ledger.number, minSeq }, async ({ pool }) => {
    const { rows } = await pool.query('select pg_is_in_recovery() as is_copy')
    return rows[0].is_copy
  })
}

test('a replica answers queries that decide nothing', async () => {
  const client = createClient()
  const investorId = await fundInvestor(client)
  expect(await readBalance(client, investorId)).toBe(500n)
  const { size } = await client.ask('head', { size: null })
  expect(await isCopyAsked(size - 1n)).toBe(true)
  await expect(
    replica.read({ name: 'due', ledger: ledger.number, minSeq: null }, async ({ pool }) => {
      return (await pool.query('select pg_is_in_recovery() as is_copy')).rows[0].is_copy
    }),
  ).resolves.toBe(false)
})

describe('a replica that is behind', () => {
  beforeEach(async () => {
    await superuser.query('select pg_wal_replay_pause()')
    return async () => {
      await superuser.query('select pg_wal_replay_resume()')
      await expect.poll(() => isCopyAsked(null)).toBe(true)
    }
  })

  test('answers no client that has seen newer events: the client reads what it wrote', async () => {
    const client = createClient()
    const investorId = await fundInvestor(client)
    expect(await readBalance(client, investorId)).toBe(500n)
    const { seq } = (await client.events({ after: -1n, waitSeconds: 0, limit: 1_000 })).events.at(
      -1,
    ) ?? {
      seq: -1n,
    }
    await expect.poll(() => isCopyAsked(seq - 2n)).toBe(true)
    expect(await isCopyAsked(seq)).toBe(false)
  })

  test('answers no client that has received newer events from the feed', async () => {
    const investorId = await fundInvestor(createClient())
    const follower = createClient()
    await follower.events({ after: -1n, waitSeconds: 0, limit: 1_000 })
    expect(await readBalance(follower, investorId)).toBe(500n)
  })

  test('sabotaged twin: a client that forgets what it has seen reads an older state', async () => {
    const investorId = await fundInvestor(createClient())
    await expect.poll(() => isCopyAsked(null)).toBe(true)
    expect(await readBalance(createClient(), investorId)).toBe(null)
  })

  test('leaves proofs of newer events to the primary', async () => {
    await fundInvestor(createClient())
    const { size } = await ledger.ledger.ask('head', { size: null })
    const { rows } = await primaryPool.query('select size from ledger.head where ledger_id = $1', [
      ledger.number,
    ])
    const newest = rows[0].size
    expect(newest).toBeGreaterThanOrEqual(size)
    expect((await createClient().ask('head', { size: newest })).size).toBe(newest)
  })
})

test('without the replica, the primary answers all queries', async () => {
  const client = createClient()
  const investorId = await fundInvestor(client)
  await standby.stop()
  expect(await readBalance(client, investorId)).toBe(500n)
  expect(await readBalance(createClient(), investorId)).toBe(500n)
})
