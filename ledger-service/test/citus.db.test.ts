import { createId } from '@cairn/ledger-contracts'
import { openKeys, verifyReceipt } from '@cairn/ledger-contracts/proof'
import { migrate } from '@cairn/migrations'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCopier } from '../src/proofs/copy-checkpoints.ts'
import { runDatabaseCheck } from '../src/proofs/database-check.ts'
import { readKeyFile } from '../src/proofs/key-file.ts'
import { verifyLog } from '../src/proofs/verify.ts'
import { createPool } from '../src/service/database/pool.ts'
import {
  type CitusDatabase,
  changeRolesAlone,
  createCitusDatabase,
  findShard,
  isWithoutCitus,
  migrateToCitus,
  type NodeAddress,
} from './support/citus.ts'
import {
  createFundedInvestor,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from './support/test-ledger.ts'
import { createTestSigning } from './support/test-signing.ts'

const LOG_TABLES = ['event', 'posting', 'refusal', 'subtree', 'trial_balance']

describe.skipIf(isWithoutCitus)('a ledger on Citus', () => {
  let database: CitusDatabase
  let ledger: TestLedger
  beforeAll(async () => {
    database = await createCitusDatabase()
    ledger = await startTestLedger({ database })
    await createFundedInvestor(ledger, { amountMinor: 5_000n })
  })
  afterAll(async () => {
    await ledger.close()
    await database.drop()
  })

  test('its tables have 16 shards each, and all shards of a ledger are on one node', async () => {
    const tables = await database.run<{ shards: number; colocations: number; tables: number }>(
      `select count(*)::int as tables, count(distinct colocationid)::int as colocations,
         max(shards)::int as shards
       from pg_dist_partition cross join lateral (
         select count(*) as shards from pg_dist_shard
         where pg_dist_shard.logicalrelid = pg_dist_partition.logicalrelid) as counted
       where logicalrelid::text like 'ledger.%'`,
    )
    expect(tables).toEqual([{ tables: 26, colocations: 1, shards: 16 }])
    expect(await migrateToCitus(database.url)).toEqual([])
    // Without --shape, the database keeps its shape.
    const migrateAgain = () => migrate({ databaseUrl: database.url, only: 'ledger' })
    expect(await changeRolesAlone(migrateAgain)).toEqual([])
  })

  test('it records, verifies, and gives receipts', async () => {
    const investorId = await createFundedInvestor(ledger, { amountMinor: 7_000n })
    const withdrawal = {
      transactionId: createId(Date.now()),
      investorId,
      source: 'balance',
      amountMinor: 7_000n,
      bankAccountId: 'bank',
      bankAccountSha256: 'b'.repeat(64),
    } as const
    const recorded = await requireRecorded(ledger.submit('RequestWithdrawal', withdrawal))
    const again = await ledger.submit('RequestWithdrawal', withdrawal)
    expect(again.outcome).toBe('refused')
    const { receipt, verifierKeys } = await ledger.ask('receipt', { seq: recorded.event.seq })
    expect(await verifyReceipt(receipt, openKeys(verifierKeys))).toMatchObject({
      index: recorded.event.seq,
    })
    const verified = await verifyLog(ledger.pool, { ledger: 1 })
    expect(verified).toMatchObject({ problems: [], events: recorded.event.seq + 1n })
  })

  test('its checkpoints are copied to the files of another instance', async () => {
    const { checkpointDir } = await createTestSigning()
    const log = pino({ level: 'silent' })
    const { pool, clock } = ledger
    // Ledger 2 has no events.
    await createCopier({ listLedgers: () => [1, 2], pool, clock, checkpointDir, log })()
    expect(await readKeyFile({ folder: checkpointDir, ledger: 1 })).toEqual([
      ledger.signing.key.verifierKey,
    ])
  })

  test.each(LOG_TABLES)('rows of %s cannot be changed, also not on a shard', async (table) => {
    const { name, ...node } = await findShard(database, { table, ledger: 1 })
    await expect(
      database.run(`update ledger.${table} set ledger_id = ledger_id where ledger_id = 1`),
    ).rejects.toThrow()
    for (const statement of [`update ${name} set ledger_id = 2`, `delete from ${name}`]) {
      await expect(
        database.runOn(node, `set session_replication_role = replica; ${statement}`),
      ).rejects.toThrow('the log is append-only')
    }
  })

  test('a posting out of balance is refused by the shard', async () => {
    const { name, ...node } = await findShard(database, { table: 'posting', ledger: 1 })
    await expect(
      database.runOn(node, `insert into ${name} values (1, 'reserve', 99, 0, 5, 5)`),
    ).rejects.toThrow('do not add up to zero')
  })

  test('a disabled trigger of a shard is found with its node, and a changed event by verify', async () => {
    const { name, shard, ...node } = await findShard(database, { table: 'event', ledger: 1 })
    const trigger = `event_append_only_${shard}`
    expect(await runDatabaseCheck(ledger.pool)).toEqual([])
    await database.runOn(node, `alter table ${name} disable trigger ${trigger}`)
    expect(await runDatabaseCheck(ledger.pool)).toEqual([
      expect.stringContaining(`${trigger} on the node ${node.host}:${node.port} is not enabled`),
    ])
    await database.runOn(node, `update ${name} set actor = 'system:other' where seq = 0`)
    const { problems, firstBadSeq } = await verifyLog(ledger.pool, { ledger: 1 })
    expect({ firstBadSeq, count: problems.length > 0 }).toEqual({ firstBadSeq: 0n, count: true })
    await database.runOn(node, `update ${name} set actor = 'system:test' where seq = 0`)
    await database.runOn(node, `alter table ${name} enable always trigger ${trigger}`)
    expect((await verifyLog(ledger.pool, { ledger: 1 })).problems).toEqual([])
  })
})

test.skipIf(isWithoutCitus)(
  'a node that can lose commits, or a search path, is found',
  async () => {
    const database = await createCitusDatabase()
    const pool = createPool({ url: database.urlFor('cairn_ledger'), max: 2, name: 'test' })
    const [, worker] = database.nodes as [NodeAddress, NodeAddress]
    const name = new URL(database.url).pathname.slice(1)
    expect(await runDatabaseCheck(pool)).toEqual([])
    await database.runOn(worker, `alter database ${name} set synchronous_commit = off`)
    expect(await runDatabaseCheck(pool)).toEqual([
      `on the node ${worker.host}:${worker.port}, synchronous_commit is off: ` +
        'an answered command could be lost; set it to on',
    ])
    await database.runOn(worker, `alter database ${name} reset synchronous_commit`)
    await database.runOn(worker, `alter database ${name} set search_path = evil, pg_catalog`)
    expect(await runDatabaseCheck(pool)).toEqual([
      `on the node ${worker.host}:${worker.port}, the database or a role has the setting ` +
        'search_path=evil, pg_catalog: find out who set it, reset it, then verify the log',
    ])
    await pool.end()
    await database.drop()
  },
)

describe.skipIf(isWithoutCitus)('a database', () => {
  test('that has rows is not distributed', async () => {
    const database = await createCitusDatabase({ isMigrated: false })
    const alone = `${database.url}?options=-c%20citus.enable_ddl_propagation%3Doff`
    await changeRolesAlone(() => migrate({ databaseUrl: alone, only: 'ledger' }))
    await database.run(
      `insert into ledger.active_instance values (1, 'http://127.0.0.1', now());
       insert into ledger.plan values (1, 'p', 1, null, 1, 'days', 1, null, 1, 1, true, false, now(), 1)`,
    )
    await expect(migrateToCitus(database.url)).rejects.toThrow('ledger.plan has rows')
    await database.drop()
  })
})
