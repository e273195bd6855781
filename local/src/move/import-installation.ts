import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { requireKnownMigrations } from '@cairn/migrations/known-migrations'
import pg from 'pg'
import { compareWithCheckpoints, verifyLedger } from '../backup/check-restored.ts'
import { getCheckpointsPath } from '../backup/checkpoint-copies.ts'
import { FOLDER_MODE, listFolder } from '../backup/durable-files.ts'
import { getIncompletePath, markImportUnfinished } from '../backup/incomplete.ts'
import type { Database } from '../database.ts'
import type { Environment } from '../environment.ts'
import { claimDataDir } from '../running.ts'
import { checkArchive, type Manifest, type PartSink, readArchive } from './archive.ts'
import type { Table } from './copy-tables.ts'
import { FILE_PREFIX, TABLE_PREFIX } from './export-installation.ts'
import { requireKnownJobTables } from './job-tables.ts'
import { type LoadingDatabase, openDatabase } from './load-database.ts'

const FILE_MODE = 0o600

export interface ImportOrder {
  readonly file: string
  readonly passphrase: string
  /** The environment of the new installation. Its data directory must be empty or missing. */
  readonly environment: Environment
  readonly print: (line: string) => void
}

/**
 * Reads an archive to its end, and throws if this version cannot import it. Returns its manifest and
 * the last migration in it.
 */
export async function examineInstallation(archive: {
  file: string
  passphrase: string
}): Promise<{ manifest: Manifest; through: string }> {
  const manifest = await checkArchive(archive)
  try {
    const through = await requireKnownMigrations(manifest.migrations)
    requireKnownJobTables(manifest.jobTables)
    return { manifest, through }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${archive.file} was written by Cairn ${manifest.cairn}: ${reason}`, {
      cause: error,
    })
  }
}

/**
 * Builds an installation from an archive and verifies it. The whole archive is checked before
 * anything is created.
 */
export async function importInstallation(order: ImportOrder): Promise<Manifest> {
  const { environment, print } = order
  const { dataDir } = environment
  if ((await listFolder(dataDir)).length > 0) {
    throw new Error(`${dataDir} is not empty: give --into an empty folder`)
  }
  const { manifest, through } = await examineInstallation(order)
  await mkdir(dataDir, { recursive: true, mode: FOLDER_MODE })
  const claim = await claimDataDir(dataDir, print)
  try {
    await markImportUnfinished(dataDir)
    const loading = await loadParts(order, { manifest, through })
    try {
      await loading.commit()
      await checkLedgers(loading.database, { manifest, dataDir, print })
    } finally {
      await loading.close()
    }
    await rm(getIncompletePath(dataDir, 'import'))
  } finally {
    await claim.release()
  }
  return manifest
}

async function loadParts(
  { file, passphrase, environment, print }: ImportOrder,
  { manifest, through }: { manifest: Manifest; through: string },
): Promise<LoadingDatabase> {
  let loading: LoadingDatabase | null = null
  const openPart = async (name: string): Promise<PartSink> => {
    if (name.startsWith(FILE_PREFIX)) {
      return createFile(environment.dataDir, name.slice(FILE_PREFIX.length))
    }
    loading ??= await openDatabase({ environment, manifest, through, print })
    // The cast is safe because only an export with the same passphrase has written the name.
    return loading.openTable(JSON.parse(name.slice(TABLE_PREFIX.length)) as Table)
  }
  try {
    const again = await readArchive({ file, passphrase, openPart })
    if (again.id !== manifest.id) throw new Error(`${file} was replaced while it was read`)
    loading ??= await openDatabase({ environment, manifest, through, print })
    return loading
  } catch (error) {
    // The type of `loading` is lost, because a callback assigns it.
    await (loading as LoadingDatabase | null)?.close()
    throw error
  }
}

async function createFile(dataDir: string, path: string): Promise<PartSink> {
  if (path.split('/').some((name) => name === '' || name === '..')) {
    throw new Error(`it has a file with the name ${path}`)
  }
  const target = join(dataDir, path)
  await mkdir(dirname(target), { recursive: true, mode: FOLDER_MODE })
  const handle: FileHandle = await open(target, 'wx', FILE_MODE)
  return {
    write: async (block) => {
      await handle.writeFile(block)
    },
    end: async () => {
      await handle.sync()
      await handle.close()
    },
  }
}

/**
 * Compares each ledger with the manifest, with itself and with the checkpoints outside the database.
 */
async function checkLedgers(
  database: Database,
  {
    manifest,
    dataDir,
    print,
  }: Pick<ImportOrder, 'print'> & { manifest: Manifest; dataDir: string },
): Promise<void> {
  const url = database.urlFor('cairn_auditor')
  const folder = getCheckpointsPath(dataDir)
  await requireSameHeads(url, manifest)
  for (const { ledger, size } of manifest.ledgers) {
    if (!(await verifyLedger(url, ledger))) {
      throw new Error(`ledger ${ledger}: the imported log contradicts itself, see the lines above`)
    }
    const { compared, different, missing } = await compareWithCheckpoints({ url, ledger, folder })
    if (different !== null || missing > 0) {
      throw new Error(
        `ledger ${ledger}: the imported log contradicts the checkpoints in ${folder}: ` +
          (different === null ? `${missing} signed events are missing` : `of ${different} events`),
      )
    }
    const agreement =
      compared === null
        ? 'nothing was signed yet'
        : `the checkpoint of ${compared} events outside the database agrees`
    print(`ledger ${ledger}: ${size} events, size and root as exported; ${agreement}`)
  }
}

async function requireSameHeads(url: string, { ledgers }: Manifest): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select ledger_id as ledger, size::text, encode(root, 'hex') as root from ledger.head order by 1`,
    )
    if (JSON.stringify(rows) === JSON.stringify(ledgers)) return
    throw new Error(
      `the imported heads ${JSON.stringify(rows)} are not those of the archive, ${JSON.stringify(ledgers)}`,
    )
  } finally {
    await client.end()
  }
}
