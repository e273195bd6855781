import { randomBytes } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { compareWithCheckpoints } from '../backup/check-restored.ts'
import { getCheckpointsPath } from '../backup/checkpoint-copies.ts'
import { ignoreMissing } from '../backup/durable-files.ts'
import { requireComplete } from '../backup/incomplete.ts'
import { type Database, startDatabase } from '../database.ts'
import { type Environment, ROOT } from '../environment.ts'
import { claimDataDir } from '../running.ts'
import { readSecrets } from '../secrets.ts'
import {
  checkArchive,
  type Description,
  type Manifest,
  nameArchive,
  type Part,
  writeArchive,
} from './archive.ts'
import { copyOut, listTables } from './copy-tables.ts'
import { isExported, markExported, removeExportedMark } from './exported-mark.ts'
import { fenceDatabase, unfenceDatabase } from './fence.ts'
import { readJobTableVersions } from './job-tables.ts'

export const FILE_PREFIX = 'files/'
export const TABLE_PREFIX = 'tables/'
export const SETTINGS_PART = `${FILE_PREFIX}settings.env`
/** What an installation keeps outside of its database. Logs and built pages stay behind. */
const FOLDERS = ['secrets', 'checkpoints', 'mail']
const DEMO_MARKER = 'demo-loaded'

export interface ExportOrder {
  readonly environment: Environment
  /** The archive to write. It must not exist. */
  readonly file: string
  readonly passphrase: string
  /** The settings of `npm start`, as `formatSettings` returns them. */
  readonly settings: string
  readonly print: (line: string) => void
}

/**
 * Writes everything that a stopped installation has into one archive, and checks the archive. From
 * then on the installation refuses to run here, and no process can connect to its database. An
 * archive has its final name only after that. Without success, nothing has changed.
 */
export async function exportInstallation(order: ExportOrder): Promise<Manifest> {
  const { environment, file, passphrase, print } = order
  const { dataDir } = environment
  if (existsSync(file)) throw new Error(`${file} exists: name another file`)
  return useStoppedInstallation(environment, print, async (client, database) => {
    const wasExported = isExported(dataDir)
    await markExported(dataDir, file)
    const draft = `${file}.part`
    try {
      await fenceDatabase(client)
      await requireWholeLog(environment, database)
      await rm(draft, { force: true })
      await writeInstallation(order, { client, draft })
      const manifest = await checkArchive({ file: draft, passphrase })
      await nameArchive({ draft, file })
      return manifest
    } catch (error) {
      await rm(draft, { force: true })
      if (!wasExported) {
        await unfenceDatabase(client)
        await removeExportedMark(dataDir)
      }
      throw error
    }
  })
}

/** Lets an exported installation run here again. */
export async function undoExport(
  environment: Environment,
  print: (line: string) => void,
): Promise<void> {
  await useStoppedInstallation(environment, print, async (client) => {
    await unfenceDatabase(client)
    await removeExportedMark(environment.dataDir)
  })
}

async function useStoppedInstallation<T>(
  environment: Environment,
  print: (line: string) => void,
  use: (client: pg.Client, database: Database) => Promise<T>,
): Promise<T> {
  const { dataDir } = environment
  if (!existsSync(join(dataDir, 'secrets', 'ledger-signing-key.pem'))) {
    throw new Error(`there is no installation in ${dataDir}: set DATA_DIR to its folder`)
  }
  requireComplete(dataDir)
  const claim = await claimDataDir(dataDir, print)
  try {
    const secrets = await readSecrets(dataDir)
    const database = await startDatabase({ environment, secrets, log: print })
    try {
      const client = new pg.Client({ connectionString: database.adminUrl })
      await client.connect()
      try {
        return await use(client, database)
      } finally {
        await client.end()
      }
    } finally {
      await database.stop()
    }
  } finally {
    await claim.release()
  }
}

/** Throws if the log lacks signed events, because the ledger would not start with it anywhere. */
async function requireWholeLog(environment: Environment, database: Database): Promise<void> {
  const folder = getCheckpointsPath(environment.dataDir)
  for (let ledger = 1; ledger <= environment.ledgers; ledger += 1) {
    const compared = await compareWithCheckpoints({ url: database.adminUrl, ledger, folder })
    if (compared.missing === 0 && compared.different === null) continue
    throw new Error(
      `ledger ${ledger}: the log contradicts the checkpoints in ${folder}. npm start says what differs`,
    )
  }
}

async function writeInstallation(
  { environment, passphrase, settings }: ExportOrder,
  { client, draft }: { client: pg.Client; draft: string },
): Promise<void> {
  await client.query(`set datestyle = 'ISO'; set timezone = 'UTC'; set statement_timeout = 0`)
  // One snapshot for all tables and for the heads in the manifest.
  await client.query('begin isolation level repeatable read read only')
  const description = await describeInstallation(client)
  const parts = listParts(client, { dataDir: environment.dataDir, settings })
  await writeArchive({ file: draft, passphrase, description, parts })
  await client.query('commit')
}

async function describeInstallation(client: pg.Client): Promise<Description> {
  const heads = await client.query(
    `select ledger_id as ledger, size::text, encode(root, 'hex') as root from ledger.head order by 1`,
  )
  const migrations = await client.query(
    'select name, sha256 from migrations.checksum order by name',
  )
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  return {
    id: randomBytes(8).toString('hex'),
    exportedAt: new Date().toISOString(),
    cairn: version,
    ledgers: heads.rows,
    migrations: migrations.rows,
    jobTables: await readJobTableVersions(client),
  }
}

/** The files come first, because an import needs the secrets before it can create the database. */
async function* listParts(
  client: pg.Client,
  { dataDir, settings }: { dataDir: string; settings: string },
): AsyncGenerator<Part> {
  yield { name: SETTINGS_PART, content: toStream(Buffer.from(settings)) }
  for (const path of await listFiles(dataDir)) {
    yield { name: `${FILE_PREFIX}${path}`, content: createReadStream(join(dataDir, path)) }
  }
  for (const table of await listTables(client)) {
    yield { name: `${TABLE_PREFIX}${JSON.stringify(table)}`, content: copyOut(client, table) }
  }
}

async function listFiles(dataDir: string): Promise<readonly string[]> {
  const listFolderFiles = async (folder: string): Promise<string[]> => {
    const entries = await ignoreMissing(
      readdir(join(dataDir, folder), { withFileTypes: true, recursive: true }),
    )
    return (entries ?? [])
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(dataDir.length + 1))
  }
  const files = (await Promise.all(FOLDERS.map(listFolderFiles))).flat().sort()
  return existsSync(join(dataDir, DEMO_MARKER)) ? [...files, DEMO_MARKER] : files
}

async function* toStream(content: Buffer) {
  yield content
}
