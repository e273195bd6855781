import { runPgBackRest } from './pgbackrest.ts'

/** A part of the answer of `pgbackrest info --output=json`. */
export interface StanzaInfo {
  readonly status: { readonly code: number; readonly message: string }
  readonly repo: readonly { readonly key: number; readonly cipher: string }[]
  /** The servers that the stanza has backed up. The last one is the present one. */
  readonly db: readonly { readonly 'system-id': number; readonly version: string }[]
  readonly archive: readonly { readonly max: string | null }[]
  /** The backups, oldest first. */
  readonly backup: readonly StanzaBackup[]
}

export interface StanzaBackup {
  readonly label: string
  readonly type: 'full' | 'diff' | 'incr'
  /** Seconds since 1970. */
  readonly timestamp: { readonly start: number; readonly stop: number }
  /** Bytes: all files of the server, and what this backup adds to the repository. */
  readonly info: { readonly size: number; readonly repository: { readonly delta: number } }
  /** True if a page of the server has a wrong checksum. Missing in older versions of pgBackRest. */
  readonly error?: boolean | null
}

const MISSING_STANZA = [1, 3]
/** A week, less half a day: a backup that is made each night must not be a day late. */
const FULL_AFTER_SECONDS = 6.5 * 86_400

/** Throws if the repository does not have the stanza. */
export async function readStanza(stanza: string): Promise<StanzaInfo> {
  const { output } = await runPgBackRest('info', { stanza, options: ['--output=json'] })
  // The cast is safe because pgBackRest keeps this format stable.
  const [info] = JSON.parse(output) as StanzaInfo[]
  if (info !== undefined && !MISSING_STANZA.includes(info.status.code)) return info
  throw new Error(
    `the repository of pgBackRest has no stanza ${stanza} (${info?.status.message ?? 'no answer'}): ` +
      `correct PGBACKREST_STANZA, or run pgbackrest --stanza=${stanza} stanza-create`,
  )
}

/** Throws unless each repository is encrypted, because a backup contains the keys of people. */
export function requireEncryption({ repo }: StanzaInfo): void {
  const open = repo.find(({ cipher }) => cipher === 'none')
  if (open === undefined && repo.length > 0) return
  const key = open?.key ?? 1
  throw new Error(
    `repository ${key} of pgBackRest is not encrypted, but backups contain the keys of people: set ` +
      `repo${key}-cipher-type=aes-256-cbc and repo${key}-cipher-pass, and create the stanza in a new repository`,
  )
}

/**
 * Throws if the stanza belongs to another server. The identifier has 64 bits and JSON numbers have
 * 53. The lost bits only distinguish servers that were created in the same microsecond.
 */
export function requireSameServer({ db }: StanzaInfo, stanza: string, systemId: string): void {
  if (db.at(-1)?.['system-id'] === Number(systemId)) return
  throw new Error(
    `the stanza ${stanza} is of another server than DATABASE_URL: correct PGBACKREST_STANZA, or run ` +
      `pgbackrest --stanza=${stanza} stanza-upgrade if the server was replaced`,
  )
}

/**
 * True if the newest full backup is a week old. Backups without a newer full backup are never
 * deleted.
 */
export function isFullDue({ backup }: StanzaInfo, nowMs: number): boolean {
  const newest = backup.findLast(({ type }) => type === 'full')
  return newest === undefined || nowMs / 1_000 - newest.timestamp.stop >= FULL_AFTER_SECONDS
}

/**
 * Returns the named backup, or the newest backup that ended at or before `until`. Throws if no such
 * backup exists.
 */
export function chooseBackup(
  { backup }: StanzaInfo,
  { until, named }: { until: Date | null; named: string | null },
): StanzaBackup {
  const oldest = backup[0]
  if (oldest === undefined) throw new Error('the stanza has no backup: run npm run backup')
  const found = backup.findLast(({ label, timestamp }) =>
    named === null ? until === null || timestamp.stop * 1_000 <= until.getTime() : label === named,
  )
  if (found !== undefined) return found
  if (named !== null) {
    const labels = backup.map(({ label }) => label).join(', ')
    throw new Error(`the stanza has no backup ${named}; it has: ${labels}`)
  }
  const endedAt = new Date(oldest.timestamp.stop * 1_000).toISOString()
  throw new Error(`the oldest backup ends at ${endedAt}: give --to with a later time`)
}
