import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from '@cairn/local/test-database'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createFundedInvestor,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { copyCheckpoints, createCopier, startCopying } from './copy-checkpoints.ts'
import { readKeyFile } from './key-file.ts'
import { runSelfCheck } from './self-check.ts'

let ledger: TestLedger
beforeAll(async () => {
  ledger = await startTestLedger()
  for (let count = 0; count < 3; count += 1) await sign(ledger)
})
afterAll(() => ledger.close())

/** Records an event and signs the log. */
async function sign(to: TestLedger): Promise<void> {
  await createFundedInvestor(to, { amountMinor: 0n })
  const { size } = await to.ask('head', { size: null })
  await to.ask('receipt', { seq: size - 1n })
}

const createFolder = () => mkdtemp(join(tmpdir(), 'cairn-copies-'))

const copy = (from: TestLedger, checkpointDir: string) =>
  copyCheckpoints({ ledger: 1, pool: from.pool, checkpointDir, clock: from.clock })

const checkStart = (of: TestLedger, checkpointDir: string) =>
  runSelfCheck({ pool: of.pool, ledger: 1, key: ledger.signing.key, checkpointDir })

test('an instance copies the checkpoints that another instance has signed, once', async () => {
  const folder = await createFolder()
  expect(await copy(ledger, folder)).toBe(3)
  expect(await copy(ledger, folder)).toBe(0)
  await sign(ledger)
  expect(await copy(ledger, folder)).toBe(1)
  expect(await readKeyFile({ folder, ledger: 1 })).toEqual([ledger.signing.key.verifierKey])
  const own = await readFile(ledger.signing.checkpointFile, 'utf8')
  const [name = ''] = ledger.signing.checkpointFile.split('/').slice(-1)
  expect(await readFile(join(folder, name), 'utf8')).toBe(own)
  expect(await checkStart(ledger, folder)).toEqual([])
})

test('an instance that shares the folder adds nothing', async () => {
  expect(await copy(ledger, ledger.signing.checkpointDir)).toBe(0)
})

test('an older state is noticed by an instance that signed nothing itself', async () => {
  const database = await createTestDatabase()
  const older = await startTestLedger({ database, signing: ledger.signing })
  const empty = await createFolder()
  const folder = await createFolder()
  await copy(ledger, folder)
  expect((await checkStart(older, folder)).join()).toContain('an older state was restored')
  // Sabotaged twin: without the copies, an instance starts on the older state. It would then sign a
  // second history that contradicts the first history.
  expect(await checkStart(older, empty)).toEqual([])
  await older.close()
  await database.drop()
})

/** A pool that counts its queries and can change its database, as a restore does. */
function createCountingPool(first: TestLedger) {
  const state = { pool: first.pool, queries: 0 }
  const query = (...args: Parameters<typeof first.pool.query>) => {
    state.queries += 1
    return state.pool.query(...args)
  }
  // The cast is safe, because the copies only need this method.
  return { state, pool: { query } as unknown as TestLedger['pool'] }
}

test('one query shows which of all ledgers need a comparison', async () => {
  const checkpointDir = await createFolder()
  const { state, pool } = createCountingPool(ledger)
  const ledgers = Array.from({ length: 100 }, (_, index) => index + 1)
  const log = pino({ level: 'silent' })
  const copyAll = createCopier({
    listLedgers: () => ledgers,
    pool,
    checkpointDir,
    clock: ledger.clock,
    log,
  })
  await copyAll()
  expect(state.queries).toBeGreaterThan(1)
  const { key } = ledger.signing
  expect(await readKeyFile({ folder: checkpointDir, ledger: 1 })).toEqual([key.verifierKey])
  state.queries = 0
  await copyAll()
  expect(state.queries).toBe(1)
  await sign(ledger)
  await copyAll()
  expect(await copy(ledger, checkpointDir)).toBe(0)
  const database = await createTestDatabase()
  const signing = { ...ledger.signing, checkpointDir: await createFolder() }
  const older = await startTestLedger({ database, signing })
  await sign(older)
  state.pool = older.pool
  await expect(copyAll()).rejects.toThrow(/the log has \d+ events, and \d+ were signed/)
  await older.close()
  await database.drop()
})

test('a checkpoint that is not of the log is not copied, and ends the process', async () => {
  const folder = await createFolder()
  const { size } = await ledger.ask('head', { size: null })
  const other = { size, root: Buffer.alloc(32, 7) }
  const note = ledger.signing.key.signCheckpoint(other)
  const [stored] = await ledger.runSql<{ note: string }>(
    'select note from ledger.checkpoint where size = $1',
    [size],
  )
  const store = async (text: string) => {
    await ledger.runSql('alter table ledger.checkpoint disable trigger all')
    await ledger.runSql('update ledger.checkpoint set note = $1 where size = $2', [text, size])
    await ledger.runSql(
      'alter table ledger.checkpoint enable always trigger checkpoint_append_only',
    )
  }
  await store(note)
  await expect(copy(ledger, folder)).rejects.toThrow('differ from the signed events')
  const ended = Promise.withResolvers<void>()
  const { pool, clock } = ledger
  const copying = startCopying({
    listLedgers: () => [1],
    pool,
    clock,
    checkpointDir: folder,
    log: pino({ level: 'silent' }),
    endProcess: ended.resolve,
  })
  await ended.promise
  await copying.stop()
  await store(stored?.note ?? '')
})
