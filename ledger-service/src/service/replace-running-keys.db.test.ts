import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createId } from '@cairn/ledger-contracts'
import { openKeys, verifyReceipt } from '@cairn/ledger-contracts/proof'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { systemClock } from '@cairn/service-kit/clock'
import type pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCommandConfig } from '../../test/support/command-config.ts'
import {
  createFundedInvestor,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { createTestSigning } from '../../test/support/test-signing.ts'
import { formatInstanceName } from '../log/instances.ts'
import { createLogKey, type LogKey } from '../proofs/log-key.ts'
import { computeHeadAt } from '../proofs/prove.ts'
import { readKeys } from '../proofs/signing-key.ts'
import { lockKeyChanges, withoutSigning, withSigningKey } from '../proofs/signing-lock.ts'
import { connectClient, createPool } from './database/pool.ts'
import { replaceSigningKeys } from './replace-keys.ts'

const ORIGIN = 'cairn.test/ledger'
const NAME = formatInstanceName({ ledgers: 1, version: 1, address: 'http://10.0.0.5:8081' })

let database: TestDatabase
let signing: TestLedger['signing']
let instance: pg.Client
let key: LogKey
let ledger: TestLedger
beforeEach(async () => {
  database = await createTestDatabase()
  signing = await createTestSigning()
  instance = await connectInstance(NAME)
  const readPems = () => readKeys(createCommandConfig(database, signing.checkpointDir))
  key = createLogKey(signing.key, { ledger: 1, origin: ORIGIN, readPems })
  ledger = await startTestLedger({ database, signing: { ...signing, key } })
})
afterEach(async () => {
  await ledger?.close()
  await instance?.end()
  await database?.drop()
})

/** Connects as a running instance does in the election. */
function connectInstance(name: string): Promise<pg.Client> {
  return connectClient({ url: database.urlFor('cairn_ledger'), name, pipeline: false })
}

function replaceKeys() {
  const config = createCommandConfig(database, signing.checkpointDir)
  return replaceSigningKeys(config, { reason: null, log: pino({ level: 'silent' }) })
}

/** Records an event and returns its receipt, which the ledger signs. */
async function readFreshReceipt(from: TestLedger): Promise<string> {
  const investorId = await createFundedInvestor(from, { amountMinor: 0n })
  const data = {
    transactionId: createId(from.clock.now()),
    investorId,
    wallet: 'balance',
    category: null,
    reason: null,
    amountMinor: 500n,
  } as const
  const { seq } = (await requireRecorded(from.submit('FundWallet', data))).event
  return (await from.ask('receipt', { seq })).receipt
}

const check = async () => (await ledger.ask('check', {})).problems

test('a running ledger goes on with each new key, and all receipts verify', async () => {
  const receipts = [await readFreshReceipt(ledger)]
  for (let changes = 1; changes <= 2; changes += 1) {
    const [replaced] = await replaceKeys()
    receipts.push(await readFreshReceipt(ledger))
    expect(key.verifierKey).toBe(replaced?.newKey.verifierKey)
  }
  const { verifierKeys } = await ledger.ask('checkpoint', {})
  const keys = openKeys(verifierKeys)
  expect(keys).toHaveLength(3)
  for (const receipt of receipts) {
    expect(await verifyReceipt(receipt, keys)).toMatchObject({ lostIn: null })
  }
  expect(await check()).toEqual([])
  const pems = await readKeys(createCommandConfig(database, signing.checkpointDir))
  expect(pems).toHaveLength(1)
})

test('sabotaged twin: verify reports an instance that goes on with the key of its start', async () => {
  await readFreshReceipt(ledger)
  await ledger.close()
  ledger = await startTestLedger({ database, signing })
  await replaceKeys()
  await readFreshReceipt(ledger).catch(() => {})
  expect((await check()).join()).toContain('was replaced after')
})

test('an instance without a copy of the new key signs nothing, and says which key it needs', async () => {
  await readFreshReceipt(ledger)
  await ledger.close()
  const old = await readFile(join(signing.checkpointDir, 'key.pem'), 'utf8')
  const lonely = createLogKey(signing.key, {
    ledger: 1,
    origin: ORIGIN,
    readPems: async () => [old],
  })
  ledger = await startTestLedger({ database, signing: { ...signing, key: lonely } })
  const [replaced] = await replaceKeys()
  await expect(readFreshReceipt(ledger)).rejects.toThrow(
    `is signed with ${replaced?.newKey.verifierKey} now: copy the file`,
  )
  expect(await check()).toEqual([])
})

test('an instance of an older release prevents the change', async () => {
  await readFreshReceipt(ledger)
  const older = await connectInstance('ledgers-1-lock 1 http://10.0.0.6:8081')
  await expect(replaceKeys()).rejects.toThrow(
    'the instance http://10.0.0.6:8081 of an older release would go on with the old key',
  )
  await older.end()
  expect(await replaceKeys()).toHaveLength(1)
})

test('a second command is refused while one runs, and leaves its files alone', async () => {
  await readFreshReceipt(ledger)
  const other = await connectInstance('ledger-key')
  await lockKeyChanges(other)
  await expect(replaceKeys()).rejects.toThrow('another command changes the signing key')
  await other.end()
  expect(await readKeys(createCommandConfig(database, signing.checkpointDir))).toHaveLength(1)
})

test('a running ledger that has signed nothing keeps its key', async () => {
  const before = await readKeys(createCommandConfig(database, signing.checkpointDir))
  await expect(replaceKeys()).rejects.toThrow('ledger 1 has signed nothing yet')
  expect(await readKeys(createCommandConfig(database, signing.checkpointDir))).toEqual(before)
})

/** Opens a pool whose connections end as soon as a transaction is idle. */
function createImpatientPool(): pg.Pool {
  const pool = createPool({ url: database.urlFor('cairn_ledger'), max: 2, name: 'impatient' })
  pool.options.options = '-c idle_in_transaction_session_timeout=1'
  return pool
}

test('a change of the key may take longer than a transaction of the service', async () => {
  const pool = createImpatientPool()
  expect(await withoutSigning({ pool, ledger: 1 }, () => delay(50, 'changed'))).toBe('changed')
  await pool.end()
})

test('sabotaged twin: with the limits of the service, the lock is lost', async () => {
  const pool = createImpatientPool()
  const slow = withSigningKey({ pool, ledger: 1, key, clock: systemClock }, () => delay(50))
  await expect(slow).rejects.toThrow('connection')
  await pool.end()
})

/** Waits until a connection waits for an advisory lock. */
async function waitForWaitingLock(): Promise<void> {
  const count = async () => {
    const [row] = await ledger.runSql<{ count: string }>(
      `select count(*) from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
    return Number(row?.count)
  }
  await expect.poll(count).toBe(1)
}

/**
 * Starts to sign, waits for `meanwhile`, and signs the head of that time, as a slow instance does.
 */
async function signSlowly(
  pool: pg.Pool,
  run: typeof withSigningKey,
  meanwhile: () => Promise<void>,
): Promise<void> {
  await run({ pool, ledger: 1, key: signing.key, clock: systemClock }, async (client, signer) => {
    await meanwhile()
    const { size, root } = await computeHeadAt(pool, { ledger: 1, size: null })
    const bytes = Buffer.from(root, 'hex')
    await client.query('insert into ledger.checkpoint values (1, $1, $2, $3, now())', [
      size,
      bytes,
      signer.signCheckpoint({ size, root: bytes }),
    ])
  })
}

test('a change of the key waits for a signature that has begun', async () => {
  await readFreshReceipt(ledger)
  const pool = createPool({ url: database.urlFor('cairn_ledger'), max: 2, name: 'slow' })
  let replacing: Promise<unknown> = Promise.resolve()
  await signSlowly(pool, withSigningKey, async () => {
    replacing = replaceKeys()
    await waitForWaitingLock()
    await createFundedInvestor(ledger, { amountMinor: 5_000n })
  })
  await replacing
  await pool.end()
  expect(await check()).toEqual([])
})

/** Replaces the keys, and ends the connection of the lock when the event is about to be recorded. */
async function replaceKeysAndLoseLock(): Promise<void> {
  const blocker = await connectInstance('blocker')
  await blocker.query('begin')
  await blocker.query('select from ledger.head where ledger_id = 1 for update')
  const replacing = replaceKeys()
  // The command takes over the log after it has planned the change.
  await expect
    .poll(() =>
      ledger.runSql(
        `select from pg_stat_activity where datname = current_database()
           and wait_event_type = 'Lock' and query like 'update %fencing_token%'`,
      ),
    )
    .toHaveLength(1)
  const ended = await ledger.runSql(
    `select pg_terminate_backend(pid, 10000) from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and mode = 'ExclusiveLock' and objid = 1 and objsubid = 2
       and datname = current_database() and query like 'select pg_advisory_xact_lock(%'`,
  )
  expect(ended).toHaveLength(1)
  await blocker.query('commit')
  await blocker.end()
  await replacing
}

test('the new key is not recorded if the lock is lost before the event', async () => {
  await readFreshReceipt(ledger)
  const before = await computeHeadAt(ledger.pool, { ledger: 1, size: null })
  await expect(replaceKeysAndLoseLock()).rejects.toThrow(
    'ledger 1: the connection that keeps instances from signing was lost, or does not answer, ' +
      'before the new key was recorded: run the command again',
  )
  expect(await computeHeadAt(ledger.pool, { ledger: 1, size: null })).toEqual(before)
  await readFreshReceipt(ledger)
  expect(await replaceKeys()).toHaveLength(1)
  expect(await check()).toEqual([])
})

test('sabotaged twin: without the lock, the old key signs after its end', async () => {
  await readFreshReceipt(ledger)
  const pool = createPool({ url: database.urlFor('cairn_ledger'), max: 2, name: 'slow' })
  const runWithoutLock: typeof withSigningKey = async (options, sign) => {
    const client = await options.pool.connect()
    return sign(client, options.key, Date.now()).finally(() => client.release())
  }
  await signSlowly(pool, runWithoutLock, async () => {
    await replaceKeys()
    await createFundedInvestor(ledger, { amountMinor: 5_000n })
  })
  await pool.end()
  expect((await check()).join()).toContain('was replaced after')
})
