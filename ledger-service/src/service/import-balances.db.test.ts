import { createId } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
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
import { connectClient } from './database/pool.ts'
import { importBalances, toImportCommand } from './import-balances.ts'
import { OPENING_HEADER, type OpeningFile, readOpeningFile } from './opening-file.ts'

const log = pino({ level: 'silent' })
const INVESTORS = 60

let database: TestDatabase
let signing: TestLedger['signing']
let ids: readonly string[]

beforeEach(async () => {
  database = await createTestDatabase()
  signing = await createTestSigning()
  ids = await useLedger((ledger) =>
    Promise.all(
      Array.from({ length: INVESTORS }, () => createFundedInvestor(ledger, { amountMinor: 0n })),
    ),
  )
})
afterEach(() => database.drop())

/** Runs a ledger service for the duration of `use`, and closes it afterwards. */
async function useLedger<T>(use: (ledger: TestLedger) => Promise<T>): Promise<T> {
  const ledger = await startTestLedger({ database, signing })
  try {
    return await use(ledger)
  } finally {
    await ledger.close()
  }
}

function importFile(file: OpeningFile, isDryRun = false) {
  const config = createCommandConfig(database, signing.checkpointDir)
  return importBalances(config, { ledger: 1, file, isDryRun, log })
}

const createFile = (...rows: readonly string[]) =>
  readOpeningFile(Buffer.from(`${[OPENING_HEADER, ...rows].join('\n')}\n`))

/** A file with 122 lines, which are recorded in two groups. */
function createLargeFile(): OpeningFile {
  const owed = ids.flatMap((id) => [
    `investor:${id}:balance,USD/2,,10.00`,
    `investor:${id}:profit,USD/2,,1.00`,
  ])
  return createFile('cash:bank,USD/2,700.00,', 'reserve,USD/2,,40.00', ...owed)
}

const readSize = () =>
  useLedger(async (ledger) => {
    const [head] = await ledger.runSql<{ size: string }>('select size from ledger.head')
    return Number(head?.size)
  })

test('a file is recorded once, verifies, and leaves the account of opening balances at zero', async () => {
  const file = createLargeFile()
  const found = await importFile(file)
  expect(found).toEqual({
    problems: [],
    recorded: 122,
    repeated: 0,
    openMinor: new Map(),
    currency: 'USD/2',
  })
  expect(await importFile(file)).toMatchObject({ recorded: 0, repeated: 122 })
  expect(await readSize()).toBe(INVESTORS + 122)
  await useLedger(async (ledger) => {
    expect((await ledger.ask('check', {})).problems).toEqual([])
    const { totals } = await ledger.ask('totals', {})
    expect(totals.byKind).toMatchObject({ cash: -70_000n, balance: 60_000n, opening: 0n })
  })
})

test('an interrupted import continues after the recorded lines', async () => {
  const file = createLargeFile()
  const first = file.lines.slice(0, 100).map((line) => toImportCommand(file, line))
  await useLedger(async ({ parts }) => {
    const answers = await parts.writer.submitLinked(first, 'interactive')
    expect(answers?.every(({ outcome }) => outcome === 'recorded')).toBe(true)
  })
  expect(await importFile(file)).toMatchObject({ recorded: 22, repeated: 100 })
  // Sabotaged twin: a file that claims the hash of the imported file, but has a changed first line,
  // is rejected.
  const [line, ...rest] = file.lines
  if (line === undefined) throw new Error('the file has no lines')
  const forged = { ...file, lines: [{ ...line, amountMinor: 1n }, ...rest] }
  await expect(importFile(forged)).rejects.toThrow('idempotency key')
})

test('nothing is recorded if a line is refused, and every problem is listed', async () => {
  const [known = ''] = ids
  const unknown = createId(Date.now())
  const found = await importFile(
    createFile(
      'cash:bank,USD/2,5.00,',
      `investor:${unknown}:balance,USD/2,,5.00`,
      `investor:${known}:balance,EUR/2,,5.00`,
      'fees,USD/2,5.00,',
    ),
  )
  expect(found).toMatchObject({ recorded: 0, repeated: 0 })
  expect(found.problems).toEqual([
    'the debits in USD/2 are 10.00, but the credits are 5.00',
    'the debits in EUR/2 are 0.00, but the credits are 5.00',
    'line 3: There is no such account',
    `line 4: The account investor:${known}:balance has amounts in USD/2; only cash and the reserve can have another asset`,
    'line 5: The account fees cannot be below zero',
  ])
  expect(await readSize()).toBe(INVESTORS)
})

test('a dry run decides every line and records nothing', async () => {
  const found = await importFile(createLargeFile(), true)
  expect(found).toMatchObject({ problems: [], recorded: 0, repeated: 0 })
  expect(await readSize()).toBe(INVESTORS)
})

test('with dual control, a file without a permission is refused with one sentence', async () => {
  await useLedger(async (ledger) => {
    for (const approverId of ['ada', 'bob']) {
      const added = ledger.submit('AddApprover', { approverId }, { actor: 'system:server' })
      await requireRecorded(added)
    }
  })
  const { problems } = await importFile(createLargeFile())
  expect(problems).toHaveLength(1)
  expect(problems.join()).toContain('Two administrators must first permit this file')
})

test('an instance that runs prevents the import', async () => {
  const url = database.urlFor('cairn_ledger')
  const instance = await connectClient({ url, name: 'ledger-1-lock', pipeline: false })
  await expect(importFile(createLargeFile())).rejects.toThrow('ledger 1 is in use')
  await instance.end()
})
