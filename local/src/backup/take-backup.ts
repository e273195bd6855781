import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '@cairn/service-kit/durable-file'
import { hashToHex } from '@cairn/service-kit/hash-text'
import pg from 'pg'
import { getArchivePath } from './archive-settings.ts'
import { type BackupNote, FILES, formatBackupName, NOTE } from './backup-folder.ts'
import { getDraftPath, removeLeftDrafts } from './drafts.ts'
import { copyWithHash, FOLDER_MODE, ignoreMissing, writeDurably } from './durable-files.ts'
import { writeFileList } from './file-list.ts'

/**
 * The maximum time from the copy of the files to the archiving of the write-ahead log that the
 * backup needs.
 */
const ARCHIVE_TIMEOUT_MS = 180_000
/** Folders whose content the server creates again. The folders themselves must exist. */
const EMPTIED = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
/** Files that are valid only for the running server, and not for a copy. */
const LEFT_OUT = /(^|\/)(postmaster\.(pid|opts)|backup_label|pg_internal\.init.*|pgsql_tmp.*)$/

export interface TakenBackup {
  readonly name: string
  readonly files: number
}

/**
 * Copies the running server into a new folder below `backupDir`. Returns after the write-ahead log
 * that the copy needs is archived.
 */
export async function takeBackup({
  ownerUrl,
  backupDir,
}: {
  /** The superuser's URL of a server on this machine. */
  ownerUrl: string
  backupDir: string
}): Promise<TakenBackup> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const draft = getDraftPath(backupDir)
  try {
    const server = await readServer(client)
    requireArchive(server.archiveCommand, backupDir)
    await removeLeftDrafts(backupDir)
    await mkdir(join(draft, FILES), { recursive: true, mode: FOLDER_MODE })
    // `pg_backup_stop` must run in the session of `pg_backup_start`, which is idle during the copy.
    await client.query('set statement_timeout = 0; set idle_session_timeout = 0')
    const { firstSegment } = await startBackup(client)
    const copied = await copyServer(server.dataDir, join(draft, FILES))
    const { label, ...end } = await stopBackup(client)
    await writeDurably(join(draft, FILES, 'backup_label'), label)
    copied.hashes.set(`${FILES}/backup_label`, hashToHex(label))
    const { folders } = copied
    const { postgresVersion } = server
    const note: BackupNote = { ...end, firstSegment, postgresVersion, folders }
    const text = `${JSON.stringify(note, null, 1)}\n`
    await writeDurably(join(draft, NOTE), text)
    await writeFileList(draft, new Map([[NOTE, hashToHex(text)], ...copied.hashes]))
    const name = formatBackupName(new Date(end.endedAt))
    await rename(draft, join(backupDir, name))
    await syncFolder(backupDir)
    return { name, files: copied.hashes.size }
  } finally {
    await rm(draft, { recursive: true, force: true })
    await client.end()
  }
}

interface Server {
  readonly dataDir: string
  readonly postgresVersion: number
  readonly archiveCommand: string
}

async function readServer(client: pg.Client): Promise<Server> {
  const { rows } = await client.query(
    `select current_setting('data_directory') as "dataDir",
            current_setting('server_version_num')::int / 10000 as "postgresVersion",
            current_setting('archive_command') as "archiveCommand"`,
  )
  return rows[0]
}

/** Throws unless the server archives into this folder, because a restore needs the archive. */
function requireArchive(archiveCommand: string, backupDir: string): void {
  if (archiveCommand.includes(`"${getArchivePath(backupDir)}/`)) return
  throw new Error(
    `the running platform does not archive into ${backupDir}: ` +
      `stop it and start it with BACKUP_DIR=${backupDir}`,
  )
}

async function startBackup(client: pg.Client): Promise<{ firstSegment: string }> {
  const { rows } = await client.query(
    `select pg_walfile_name(pg_backup_start('cairn', true)) as "firstSegment"`,
  )
  return rows[0]
}

/** Ends the backup after its write-ahead log is archived. Returns the label for the restore. */
async function stopBackup(
  client: pg.Client,
): Promise<{ label: string; lastSegment: string; endedAt: string }> {
  await client.query(`set statement_timeout = ${ARCHIVE_TIMEOUT_MS}`)
  try {
    const { rows } = await client.query(
      `select pg_walfile_name(lsn) as "lastSegment", labelfile as label, spcmapfile as spaces,
         clock_timestamp() as at
       from pg_backup_stop(true)`,
    )
    const { lastSegment, label, spaces, at } = rows[0]
    if (spaces?.trim()) throw new Error('a database with tablespaces needs another backup tool')
    return { label, lastSegment, endedAt: new Date(at).toISOString() }
  } catch (error) {
    const reason = await findArchiveFailure(client)
    if (reason === null) throw error
    throw new Error(reason, { cause: error })
  }
}

async function findArchiveFailure(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query(
    `select last_failed_wal as segment, failed_count::int as count from pg_stat_archiver
     where last_failed_time > coalesce(last_archived_time, '-infinity')`,
  )
  const [failed] = rows
  if (failed === undefined) return null
  return (
    `the server could not archive ${failed.segment} (${failed.count} failures): the reason is in ` +
    'DATA_DIR/logs/postgres.log, for example a full disk or a BACKUP_DIR that the server may not write to'
  )
}

interface CopiedFiles {
  /** The SHA-256 of each file, by its path in the backup. */
  readonly hashes: Map<string, string>
  readonly folders: string[]
}

/**
 * Copies the files of a running server. Ignores a file that the server deletes during the copy,
 * because the write-ahead log repeats the deletion.
 */
async function copyServer(from: string, to: string): Promise<CopiedFiles> {
  const copied: CopiedFiles = { hashes: new Map(), folders: [] }
  const copyFolder = async (path: string): Promise<void> => {
    const entries = await ignoreMissing(readdir(join(from, path), { withFileTypes: true }))
    for (const entry of entries ?? []) {
      const inner = path === '' ? entry.name : `${path}/${entry.name}`
      if (LEFT_OUT.test(inner)) continue
      if (entry.isDirectory()) {
        await mkdir(join(to, inner), { mode: FOLDER_MODE })
        copied.folders.push(inner)
        if (!EMPTIED.has(inner)) await copyFolder(inner)
      } else if (entry.isFile()) {
        const hash = await ignoreMissing(
          copyWithHash({ from: join(from, inner), to: join(to, inner) }),
        )
        if (hash !== null) copied.hashes.set(`${FILES}/${inner}`, hash)
      } else {
        throw new Error(`${join(from, inner)} is not a regular file: use another backup tool`)
      }
    }
  }
  await copyFolder('')
  return copied
}
