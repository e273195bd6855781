import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openKeys, verifyReceipt } from '@cairn/ledger-contracts/proof'
import { RELEASE } from '@cairn/service-kit/release'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDatabase } from '../database.ts'
import { type Environment, readEnvironment } from '../environment.ts'
import { startPlatform } from '../platform.ts'
import { type Postgres, startPostgres } from '../postgres.ts'
import { readSecrets } from '../secrets.ts'
import { fundInvestor, readReceipt, startTestLedger } from '../test-ledger.ts'
import { exportInstallation, undoExport } from './export-installation.ts'
import { examineInstallation, importInstallation } from './import-installation.ts'
import { rewriteArchive } from './rewritten-archive.ts'

// The database and the ledger of an installation, without the other parts.

const PASSPHRASE = 'correct horse battery staple'
const EVENT_TABLE = 'tables/{"schema":"ledger","name":"event"'
const ignoreLine = () => {}

let folder: string
let archive: string
/** A receipt that was issued before the move. */
let receipt: string
/** The output of the last import. */
let printed: string[]

function createVariables(name: string): Record<string, string> {
  return {
    DATA_DIR: join(folder, name),
    DEMO: '0',
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    PATH: process.env.PATH ?? '',
  }
}

function runExport(environment: Environment, file: string) {
  const settings = "export PUBLIC_URL='https://cairn.example'\n"
  return exportInstallation({
    environment,
    file,
    passphrase: PASSPHRASE,
    settings,
    print: ignoreLine,
  })
}

function runImport(environment: Environment, file: string) {
  printed = []
  const print = (line: string) => void printed.push(line)
  return importInstallation({ environment, file, passphrase: PASSPHRASE, print })
}

async function query(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const OPTION_VERSIONS = 'select count(*)::int as n from platform.payment_option_version'

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-move-'))
  archive = join(folder, 'one.cairn')
  const { client, database, stop } = await startTestLedger(createVariables('source'))
  receipt = (await readReceipt(client, await fundInvestor(client))).receipt
  await fundInvestor(client)
  // An insertion of this row starts a trigger that inserts another row.
  await query(
    database.adminUrl,
    `insert into platform.payment_option values
       ('one', 'Bank Transfer', 'A bank', E'1\\t2\\n\\\\N', null, 'ü', null, true, now(), null)`,
  )
  expect(await query(database.adminUrl, OPTION_VERSIONS)).toEqual([{ n: 1 }])
  await stop()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('an installation moves with its log, and receipts stay valid', async () => {
  const exported = await runExport(readEnvironment(createVariables('source')), archive)
  expect((await stat(archive)).mode & 0o777).toBe(0o600)
  expect(exported.ledgers).toMatchObject([{ ledger: 1, size: '4' }])

  const variables = createVariables('moved')
  const imported = await runImport(readEnvironment(variables), archive)
  expect(imported).toEqual(exported)
  expect(printed.at(-1)).toContain('4 events, size and root as exported; the checkpoint of')
  expect(existsSync(join(folder, 'moved', 'import-incomplete'))).toBe(false)
  const settings = await readFile(join(folder, 'moved', 'settings.env'), 'utf8')
  expect(settings).toContain('https://cairn.example')

  const { client, database, stop } = await startTestLedger(variables)
  const next = await readReceipt(client, await fundInvestor(client))
  expect(next.verified).toMatchObject({ lostIn: null })
  const { verifierKeys } = await client.ask('checkpoint', {})
  const { checkpoint } = await verifyReceipt(receipt, openKeys(verifierKeys))
  expect(checkpoint.origin).toBe(next.verified.checkpoint.origin)
  expect((await readReceipt(client, 1n)).verified.lostIn).toBeNull()
  expect(await query(database.adminUrl, OPTION_VERSIONS)).toEqual([{ n: 1 }])
  expect(
    await query(database.adminUrl, 'select account_number, extra from platform.payment_option'),
  ).toEqual([{ account_number: '1\t2\n\\N', extra: 'ü' }])
  await stop()
})

test('an exported installation neither starts nor connects, until the export is undone', async () => {
  const environment = readEnvironment(createVariables('source'))
  const { signal } = new AbortController()
  const start = () => startPlatform({ environment, log: ignoreLine, signal })
  await expect(start()).rejects.toThrow(`was exported to ${archive}`)
  // Also a process that does not read the mark of the data directory cannot connect.
  const secrets = await readSecrets(environment.dataDir)
  const database = await startDatabase({ environment, secrets, log: ignoreLine })
  await expect(query(database.urlFor('cairn_ledger'), 'select')).rejects.toThrow(
    'permission denied for database',
  )
  await database.stop()

  // Sabotaged twin: without the mark and the fence, the ledger continues the same log.
  await undoExport(environment, ignoreLine)
  const { client, stop } = await startTestLedger(createVariables('source'))
  expect(await fundInvestor(client)).toBe(5n)
  await stop()
})

describe('an archive is refused', () => {
  const into = () => readEnvironment(createVariables('refused'))

  test.each([
    ['in its middle', 0.5],
    ['at its end', 1],
  ])('with a changed byte %s', async (_, at) => {
    const bytes = await readFile(archive)
    const place = Math.min(bytes.length - 1, Math.floor(bytes.length * at))
    bytes[place] = (bytes[place] ?? 0) ^ 1
    const file = join(folder, `changed-${at}.cairn`)
    await writeFile(file, bytes)
    await expect(runImport(into(), file)).rejects.toThrow(`${file} cannot be used: it is damaged`)
    expect(existsSync(into().dataDir)).toBe(false)
  })

  test('with another passphrase', async () => {
    const passphrase = `${PASSPHRASE}.`
    await expect(examineInstallation({ file: archive, passphrase })).rejects.toThrow(
      `${archive} cannot be used: the passphrase is wrong`,
    )
  })

  test('for a folder that is not empty', async () => {
    const environment = readEnvironment(createVariables('moved'))
    await expect(runImport(environment, archive)).rejects.toThrow('moved is not empty')
  })

  test('with a migration of a newer version', async () => {
    const to = join(folder, 'newer.cairn')
    const added = { name: '9999_expand_more.sql', sha256: '0'.repeat(64) }
    const changeDescription = <D extends { migrations: readonly object[] }>(one: D): D => ({
      ...one,
      migrations: [...one.migrations, added],
    })
    await rewriteArchive({ file: archive, to, passphrase: PASSPHRASE, changeDescription })
    await expect(runImport(into(), to)).rejects.toThrow(
      `${to} was written by Cairn ${RELEASE}: migration 9999_expand_more.sql is of a newer version`,
    )
    expect(existsSync(into().dataDir)).toBe(false)
  })

  test('without the last event, by the check of the imported log', async () => {
    const to = join(folder, 'shorter.cairn')
    const changePart = (name: string, content: Buffer) => {
      if (!name.startsWith(EVENT_TABLE)) return content
      return content.subarray(0, content.lastIndexOf('\n', content.length - 2) + 1)
    }
    await rewriteArchive({ file: archive, to, passphrase: PASSPHRASE, changePart })
    await expect(runImport(into(), to)).rejects.toThrow('the imported log contradicts itself')
    const start = startPlatform({
      environment: into(),
      log: ignoreLine,
      signal: new AbortController().signal,
    })
    await expect(start).rejects.toThrow('the import into')
    await rm(into().dataDir, { recursive: true })

    // Sabotaged twin: the same archive, written again without a change, is imported.
    const same = join(folder, 'same.cairn')
    await rewriteArchive({ file: archive, to: same, passphrase: PASSPHRASE })
    await runImport(into(), same)
    await rm(into().dataDir, { recursive: true })
  })

  test('with another root than its manifest', async () => {
    const to = join(folder, 'other-root.cairn')
    const changeDescription = <D extends object>(one: D): D => ({
      ...one,
      ledgers: [{ ledger: 1, size: '4', root: '0'.repeat(64) }],
    })
    await rewriteArchive({ file: archive, to, passphrase: PASSPHRASE, changeDescription })
    await expect(runImport(into(), to)).rejects.toThrow('are not those of the archive')
    await rm(into().dataDir, { recursive: true })
  })
})

describe('a server of DATABASE_URL', () => {
  let server: Postgres
  let variables: Record<string, string>
  beforeAll(async () => {
    const place = join(folder, 'server')
    server = await startPostgres({
      dataDir: join(place, 'data'),
      logFile: join(place, 'log'),
      password: 'of the server',
    })
    await query(server.url(), `create role operator login createrole password 'of the operator'`)
    await query(server.url(), 'create database cairn owner operator')
    const DATABASE_URL = server.url('operator', 'of the operator', 'cairn')
    variables = { ...createVariables('outside'), DATABASE_URL }
  })
  afterAll(() => server.stop())

  test('takes an installation, and gives it away when no process is connected', async () => {
    const environment = readEnvironment(variables)
    await runImport(environment, archive)
    const { client, database, stop } = await startTestLedger(variables)
    expect(await fundInvestor(client)).toBe(5n)
    const file = join(folder, 'back.cairn')
    await expect(runExport(environment, file)).rejects.toThrow(
      /a process of the platform is connected to the database \(cairn_ledger/,
    )
    expect(existsSync(file)).toBe(false)
    // The refused export changes nothing: the ledger continues, and new connections are possible.
    expect(await fundInvestor(client)).toBe(7n)
    await query(database.urlFor('cairn_ledger'), 'select')
    await stop()

    const exported = await runExport(environment, file)
    expect(exported.ledgers).toMatchObject([{ ledger: 1, size: '8' }])
    await expect(query(database.urlFor('cairn_ledger'), 'select')).rejects.toThrow(
      'permission denied for database',
    )
    const back = readEnvironment(createVariables('back'))
    expect((await runImport(back, file)).ledgers).toEqual(exported.ledgers)
  })

  test('is refused if it is not empty', async () => {
    const environment = readEnvironment({ ...variables, DATA_DIR: join(folder, 'second') })
    await expect(runImport(environment, archive)).rejects.toThrow('is not empty: name an empty')
  })
})
