import { createId, type LedgerClient } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import type pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { verifyLog } from '../src/proofs/verify.ts'
import { connectClient, createPool } from '../src/service/database/pool.ts'
import { type ChaosProxy, startChaosProxy } from './support/chaos-proxy.ts'
import { type ElectedInstance, startElectedInstance } from './support/elected-instance.ts'
import { recordFigure } from './support/figure.ts'
import { createTestSigning } from './support/test-signing.ts'

const SILENCE_MS = 500
/** A pipelined client ends each longer query, so a query of a busy machine must be shorter. */
const PIPELINED_SILENCE_MS = 3_000
const FAR_LONGER = { timeout: 120_000 }

let database: TestDatabase
let superuser: pg.Pool
let proxy: ChaosProxy
let signing: Awaited<ReturnType<typeof createTestSigning>>
let instances: ElectedInstance[]
beforeEach(async () => {
  database = await createTestDatabase()
  superuser = createPool({ url: database.url, max: 2, name: 'superuser' })
  proxy = await startChaosProxy({ port: Number(new URL(database.url).port) })
  signing = await createTestSigning(database.url)
  instances = []
})
afterEach(async () => {
  // No answer comes on an abandoned connection, so the proxy ends these first.
  proxy.close()
  await Promise.all(instances.map((instance) => instance.close()))
  await superuser.end()
  await database.drop()
})

function getUrlOfProxy(role: Parameters<TestDatabase['urlFor']>[0]): string {
  const url = new URL(database.urlFor(role))
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  return url.href
}

async function startInstance(reached: TestDatabase): Promise<[LedgerClient, ElectedInstance]> {
  const instance = await startElectedInstance({ database: reached, signing, ledgers: 1 })
  instances.push(instance)
  const [client] = instance.clients
  if (client === undefined) throw new Error('the instance has no ledger')
  return [client, instance]
}

/** Sends the command until it is recorded, as the gateway does. Returns the number of its event. */
async function fundReserve(client: LedgerClient): Promise<bigint> {
  const transactionId = createId(Date.now())
  const send = () =>
    client
      .submit({
        type: 'FundReserve',
        data: { transactionId, amountMinor: 100n, note: null },
        actor: 'system:test',
        key: transactionId,
        requestId: null,
        effectiveAt: null,
      })
      .catch(() => null)
  let seq: bigint | null = null
  await expect
    .poll(async () => {
      const answer = await send()
      if (answer?.outcome === 'recorded') seq = answer.event.seq
      return answer?.outcome
    }, FAR_LONGER)
    .toBe('recorded')
  if (seq === null) throw new Error('nothing was recorded')
  return seq
}

async function countFunded(): Promise<number> {
  const { problems } = await verifyLog(superuser, { ledger: 1, isReplaying: true })
  expect(problems).toEqual([])
  const { rows } = await superuser.query(
    `select count(*)::int as count from ledger.event where type = 'ReserveFunded'`,
  )
  return rows[0].count
}

async function countSessions(name: string): Promise<number> {
  const { rows } = await superuser.query(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and strpos(application_name, $1) > 0`,
    [name],
  )
  return rows[0].count
}

/** Sets how many connections this database accepts, except from superusers; -1 is no limit. */
async function limitConnections(count: number): Promise<void> {
  const name = new URL(database.url).pathname.slice(1)
  await superuser.query(`alter database ${name} connection limit ${count}`)
}

test.for(['pool', 'client', 'pipelined client'])(
  'a query of a %s fails if the database falls silent; the sabotaged twin without a limit waits',
  async (kind) => {
    const connect = async (limitMs?: number) => {
      const limit = limitMs === undefined ? {} : { silenceMs: limitMs }
      const options = { url: getUrlOfProxy('cairn_ledger'), name: 'silent', ...limit }
      if (kind === 'pool') return createPool({ ...options, max: 1 })
      return await connectClient({ ...options, pipeline: kind === 'pipelined client' })
    }
    const silenceMs = kind === 'pipelined client' ? PIPELINED_SILENCE_MS : SILENCE_MS
    const [limited, unlimited] = [await connect(silenceMs), await connect()]
    await Promise.all([limited.query('select 1'), unlimited.query('select 1')])
    // The limit is for silence during a query, not for a connection without one.
    await new Promise((wake) => setTimeout(wake, 2 * silenceMs))
    await Promise.all([limited.query('select 1'), unlimited.query('select 1')])
    // A database that works for longer than the limit is waited for, such as on a commit that waits
    // for a standby.
    if (kind !== 'pipelined client') {
      await limited.query('select pg_sleep(2)')
      // Nor is a connection ended because the server accepts no other that could ask about it.
      await limitConnections(0)
      await limited.query('select pg_sleep(2)')
      await limitConnections(-1)
    }
    proxy.abandonConnections()
    let hasTwinEnded = false
    const twin = unlimited.query('select 1').finally(() => {
      hasTwinEnded = true
    })
    await expect(limited.query('select 1')).rejects.toThrow(/not answered|timeout|terminated/)
    expect(hasTwinEnded).toBe(false)
    proxy.close()
    await expect(twin).rejects.toThrow()
    await Promise.allSettled([limited.end(), unlimited.end()])
  },
)

test('an instance whose database fell silent writes again, and each command once', async ({
  task,
}) => {
  const [client] = await startInstance({ ...database, urlFor: getUrlOfProxy })
  const first = await fundReserve(client)
  proxy.abandonConnections()
  const startedMs = performance.now()
  expect(await fundReserve(client)).toBe(first + 1n)
  recordFigure(
    task,
    `${((performance.now() - startedMs) / 1_000).toFixed(1)} s until it was recorded`,
  )
  expect(await countFunded()).toBe(2)
})

test('another instance takes over from one whose machine fell silent', async ({ task }) => {
  const [lost, { address }] = await startInstance({ ...database, urlFor: getUrlOfProxy })
  const first = await fundReserve(lost)
  const [other] = await startInstance(database)
  // The sabotaged twin: a session without the limit keeps its lock.
  const twin = await connectClient({
    url: getUrlOfProxy('cairn_ledger'),
    name: 'twin',
    pipeline: false,
  })
  await twin.query('select pg_advisory_lock(1, 1)')
  proxy.abandonConnections()
  proxy.set('swallowing')
  const startedMs = performance.now()
  expect(await fundReserve(other)).toBe(first + 1n)
  recordFigure(
    task,
    `${((performance.now() - startedMs) / 1_000).toFixed(1)} s until it was recorded`,
  )
  expect(await countSessions(address)).toBe(0)
  expect(await countSessions('twin')).toBe(1)
  const { rows } = await superuser.query(
    `select from pg_locks where locktype = 'advisory' and classid = 1 and objid = 1 and granted`,
  )
  expect(rows).toHaveLength(1)
  // Once its network is back, the former instance sends the commands to the other one.
  proxy.set('calm')
  expect(await fundReserve(lost)).toBe(first + 2n)
  expect(await countFunded()).toBe(3)
})
