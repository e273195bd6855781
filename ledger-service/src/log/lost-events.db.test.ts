import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createId } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import {
  createFundedInvestor,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { wrapSessions } from './store.ts'

const databases: TestDatabase[] = []
afterAll(() => Promise.all(databases.map((database) => database.drop())))

const getName = ({ url }: TestDatabase) => new URL(url).pathname.slice(1)

/**
 * Replaces the newer database by the older database, and ends all connections to the newer
 * database.
 */
async function restoreOlder(newer: TestDatabase, older: TestDatabase): Promise<void> {
  const url = new URL(newer.url)
  url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  const [name, lost] = [getName(newer), `${getName(newer)}_lost`]
  await client.query(`alter database ${name} with allow_connections false`)
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    name,
  ])
  await expect
    .poll(async () => {
      const { rowCount } = await client.query('select from pg_stat_activity where datname = $1', [
        name,
      ])
      return rowCount
    })
    .toBe(0)
  await client.query(`alter database ${name} rename to ${lost}`)
  await client.query(`alter database ${getName(older)} rename to ${name}`)
  await client.query(`drop database ${lost}`)
  await client.end()
}

async function fund(ledger: TestLedger, investorId: string) {
  const gift = { wallet: 'balance', category: null, reason: null, amountMinor: 500n } as const
  const data = { transactionId: createId(ledger.clock.now()), investorId, ...gift }
  return await ledger.submit('FundWallet', data)
}

/**
 * Submits a command to a ledger that cannot process it. Moves the clock past the time limit of the
 * command, so that the test does not have to wait.
 */
async function fundUntilTimeout(ledger: TestLedger, investorId: string) {
  const answering = fund(ledger, investorId)
  ledger.clock.set(ledger.clock.now() + 10_000)
  return await answering
}

const readSize = async (ledger: TestLedger) => {
  const [row] = await ledger.runSql<{ size: string }>('select size from ledger.head')
  return Number(row?.size)
}

/**
 * Starts a ledger that answers an event, and removes this event from the database. Without
 * `signed`, no file outside of the database contains the event.
 */
async function loseNewestEvent({
  signed,
  wrapStore,
}: { signed: boolean } & Pick<NonNullable<Parameters<typeof startTestLedger>[0]>, 'wrapStore'>) {
  const database = await createTestDatabase()
  databases.push(database)
  const first = await startTestLedger({ database })
  const investorId = await createFundedInvestor(first, { amountMinor: 0n })
  await first.close()
  const older = await createTestDatabase({ copyOf: database })
  databases.push(older)
  const { signing } = first
  const ledger = await startTestLedger({ database, signing, ...(wrapStore && { wrapStore }) })
  const { event } = await requireRecorded(fund(ledger, investorId))
  if (signed) await ledger.ask('receipt', { seq: event.seq })
  await restoreOlder(database, older)
  if (!signed) await removeCheckpoints(signing.checkpointDir)
  return { database, signing, ledger, investorId, seq: event.seq }
}

async function removeCheckpoints(folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((name) => name.includes('checkpoint'))
  expect(files.length).toBeGreaterThan(0)
  for (const name of files) await rm(join(folder, name))
}

test('a process writes nothing to a database that lacks an event that it has answered', async () => {
  // A lookup on the broken connection finds nothing, so the writer sends the statement and does not
  // learn its outcome.
  const wrapStore = wrapSessions((session) => ({
    ...session,
    loadRows: (table, keys) => session.loadRows(table, keys).catch(() => []),
  }))
  const { ledger, investorId, seq } = await loseNewestEvent({ signed: false, wrapStore })
  // The writer loses its connections while it records this command, so the outcome of the command
  // stays unknown.
  const unanswered = fund(ledger, investorId)
  await expect.poll(() => ledger.parts.writer.isReady()).toBe(false)
  expect(await fundUntilTimeout(ledger, investorId)).toMatchObject({ outcome: 'failed' })
  expect(await readSize(ledger)).toBe(Number(seq))
  await Promise.all([ledger.close(), expect(unanswered).rejects.toThrow('outcome')])
})

test('sabotaged twin: a process that forgets its answers reuses an event number', async () => {
  let leaf: Buffer | null = null
  // The session remembers the leaf of the newest event that it wrote. Even after the database has
  // lost this event, the session reports the leaf as stored.
  const wrapStore = wrapSessions((session) => ({
    ...session,
    append: async (move, rows) => {
      const written = await session.append(move, rows)
      const added = [...rows].find(([{ name }]) => name === 'event')?.[1]
      // The cast is safe, because the rows of this table have this column.
      leaf = (added?.at(-1) as { leafHash: Buffer } | undefined)?.leafHash ?? leaf
      return written
    },
    findLeaf: async () => leaf,
  }))
  const { ledger, investorId, seq } = await loseNewestEvent({ signed: false, wrapStore })
  const { event } = await requireRecorded(fund(ledger, investorId))
  expect(event.seq).toBe(seq)
  await ledger.close()
})

test('another process writes nothing to a database that lacks an event that was signed', async () => {
  const { ledger, database, signing, investorId, seq } = await loseNewestEvent({ signed: true })
  await ledger.close()
  const other = await startTestLedger({ database, signing })
  expect(await fundUntilTimeout(other, investorId)).toMatchObject({ outcome: 'failed' })
  expect(await readSize(other)).toBe(Number(seq))
  await other.close()
})

test('sabotaged twin: without the signed checkpoints, another process reuses an event number', async () => {
  const { ledger, database, signing, investorId, seq } = await loseNewestEvent({ signed: true })
  await ledger.close()
  await removeCheckpoints(signing.checkpointDir)
  const other = await startTestLedger({ database, signing })
  const { event } = await requireRecorded(fund(other, investorId))
  expect(event.seq).toBe(seq)
  await other.close()
})
