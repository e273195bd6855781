import { parseVerifierKey, verifyReceipt } from '@cairn/ledger-contracts/proof'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fundedInvestor, startTestLedger, type TestLedger } from '../../test/support/test-ledger.ts'
import { model } from '../domain/model.ts'
import { canonicalJson } from '../log/canonical.ts'
import { append, EMPTY_FRONTIER, leafHash, packFrontier, rootOf } from '../log/merkle.ts'
import { createPool } from '../service/database/pool.ts'
import { rebuildProjections } from './rebuild.ts'

let database: TestDatabase
let ledger: TestLedger
beforeEach(async () => {
  database = await createTestDatabase()
  ledger = await startTestLedger({ database })
  await fundedInvestor(ledger, { amountMinor: 500n })
  await makeOld()
  await ledger.close()
  ledger = await startTestLedger({ database })
})
afterEach(async () => {
  await ledger.close()
  await database.drop()
})

/** Rewrites the log as a release with only schema version 1 wrote it. */
async function makeOld(): Promise<void> {
  for (const table of ['event', 'checkpoint']) {
    await ledger.sql(`alter table ledger.${table} disable trigger all`)
  }
  await ledger.sql('delete from ledger.checkpoint')
  let frontier = EMPTY_FRONTIER
  const rows = await ledger.sql<{ seq: string; bytes: Buffer }>(
    'select seq, bytes from ledger.event order by seq',
  )
  for (const { seq, bytes } of rows) {
    const { idempotencyHash: _, ...old } = JSON.parse(bytes.toString('utf8'))
    const rewritten = Buffer.from(canonicalJson({ ...old, schemaVersion: 1 }))
    frontier = append(frontier, leafHash(rewritten)).frontier
    await ledger.sql(
      `update ledger.event set schema_version = 1, bytes = $2, leaf_hash = $3 where seq = $1`,
      [seq, rewritten, leafHash(rewritten)],
    )
  }
  await ledger.sql('update ledger.head set root = $1, frontier = $2', [
    rootOf(frontier),
    packFrontier(frontier),
  ])
  for (const table of ['event', 'checkpoint']) {
    await ledger.sql(`alter table ledger.${table} enable always trigger ${table}_append_only`)
  }
}

async function problems(): Promise<readonly string[]> {
  return (await ledger.ask('check', {})).problems
}

test('a log that began with version 1 goes on in version 2, and all of it verifies', async () => {
  await fundedInvestor(ledger, { amountMinor: 700n })
  const { events } = await ledger.parts.feed.read({
    after: -1n,
    limit: 100,
    waitMs: 0,
    signal: new AbortController().signal,
  })
  expect(events.map(({ schemaVersion }) => schemaVersion)).toEqual([1, 1, 2, 2])
  expect(await problems()).toEqual([])
  for (const seq of [1n, 3n]) {
    const { receipt, verifierKeys } = await ledger.ask('receipt', { seq })
    const verified = await verifyReceipt(receipt, verifierKeys.map(parseVerifierKey))
    expect(verified.event).toMatchObject({ seq: String(seq), type: 'WalletFunded' })
  }
  const pool = createPool({ url: database.url, max: 1, name: 'rebuild' })
  const rebuilt = await rebuildProjections(pool, { ledger: 1, model, isRepairing: false })
  await pool.end()
  expect(rebuilt.differences).toEqual([])
})

test('version 1 could not tell a changed key, so it is the new field that does', async () => {
  await fundedInvestor(ledger, { amountMinor: 700n })
  await ledger.sql('alter table ledger.event disable trigger all')
  await ledger.sql(`update ledger.event set idempotency_hash = sha256('x') where seq = 1`)
  expect(await problems()).toEqual([])
  await ledger.sql(`update ledger.event set idempotency_hash = sha256('y') where seq = 3`)
  expect((await problems()).join()).toContain('event 3: a column differs from its bytes')
})
