import { createHash, type Hash } from 'node:crypto'
import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs'
import { lstat, readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { getSqlType, type Table } from '../log/table.ts'
import type { View } from '../log/view.ts'
import type { FoldedRows } from './folded-rows.ts'
import { readLines } from './line-bytes.ts'

/**
 * The state of a log after its first `size` events, in which an earlier verification found no
 * difference. The file of the state is outside of the database, beside the checkpoints, and ends
 * with the hash of its content.
 */
export interface VerifiedState {
  readonly file: string
  readonly size: bigint
  readonly root: Buffer
  /** The hash of the newest LogForked among the events; null if there is none. */
  readonly fork: Buffer | null
  readonly refusals: CheckedRefusals
}

/** The refusals that were decided again, and the hash of their chain. */
export interface CheckedRefusals {
  readonly count: bigint
  readonly hash: Buffer
  /** True if the newest event contains `hash`. */
  readonly isSealed: boolean
}

interface Header {
  ledger: number
  /**
   * The hash of the names of the tables and columns. A file is used only if it contains this hash.
   */
  tables: string
  size: string
  root: string
  /** Missing if there is no fork, and in files of releases that did not write it. */
  fork?: string
  refusals: { count: string; hash: string; isSealed: boolean }
}

interface Place {
  folder: string
  ledger: number
}

const WRITE_BYTES = 1 << 20
/** A new file of this age was left by a run that was killed. */
const LEFT_MS = 12 * 3_600_000

export function getStateFile({ folder, ledger }: Place): string {
  return join(folder, `ledger-${ledger}-verified.jsonl`)
}

/**
 * Reads the header of the file and checks the hash of its content. Returns null if there is no file
 * for these tables, or if its content was changed.
 */
export async function readVerifiedState(
  place: Place,
  tables: readonly Table[],
): Promise<VerifiedState | null> {
  const file = getStateFile(place)
  if (!existsSync(file)) return null
  const content = createHash('sha256')
  let first: string | null = null
  let last: string | null = null
  for await (const line of readTextLines(file)) {
    if (last !== null) content.update(`${last}\n`)
    first ??= line
    last = line
  }
  if (first === null || last !== formatEnd(content)) return null
  // The cast is safe, because only `writeVerifiedState` writes a file with a valid hash.
  const { ledger, tables: known, size, root, fork, refusals } = JSON.parse(first) as Header
  if (ledger !== place.ledger || known !== hashTables(tables)) return null
  return {
    file,
    size: BigInt(size),
    root: Buffer.from(root, 'base64url'),
    fork: fork === undefined ? null : Buffer.from(fork, 'base64url'),
    refusals: {
      count: BigInt(refusals.count),
      hash: Buffer.from(refusals.hash, 'base64url'),
      isSealed: refusals.isSealed,
    },
  }
}

/** Yields the rows of the file. The caller has checked the file with `readVerifiedState`. */
export async function* readStateRows(
  file: string,
  tables: readonly Table[],
): AsyncGenerator<{ table: Table; row: Readonly<Record<string, unknown>> }> {
  const readers = new Map(tables.map((table) => [table.name, createRowReader(table)]))
  for await (const line of readTextLines(file)) {
    if (!line.startsWith('[')) continue
    // The cast is safe, because `writeVerifiedState` has written the line.
    const [name = '', values = []] = JSON.parse(line) as [string?, unknown[]?]
    const reader = readers.get(name)
    if (reader === undefined) throw new Error(`${file} has rows of an unknown table`)
    yield { table: reader.table, row: reader.read(values) }
  }
}

/** Puts all rows of the state into the view. */
export async function loadState(
  { file }: VerifiedState,
  { tables, view }: { tables: readonly Table[]; view: View },
): Promise<void> {
  for await (const { table, row } of readStateRows(file, tables)) view.put(table, row as never)
}

/**
 * Writes the state to a new file beside the present file. `replaceState` then replaces the present
 * file by the new file.
 */
export function writeVerifiedState(
  place: Place,
  state: {
    size: bigint
    root: Buffer
    fork: Buffer | null
    refusals: CheckedRefusals
    rows: FoldedRows
    tables: readonly Table[]
  },
): void {
  const { size, root, fork, refusals, rows, tables } = state
  const header: Header = {
    ledger: place.ledger,
    tables: hashTables(tables),
    size: String(size),
    root: root.toString('base64url'),
    ...(fork !== null && { fork: fork.toString('base64url') }),
    refusals: {
      count: String(refusals.count),
      hash: refusals.hash.toString('base64url'),
      isSealed: refusals.isSealed,
    },
  }
  const content = createHash('sha256')
  const path = getNewFile(place)
  const file = openSync(path, 'w', 0o600)
  try {
    let text = ''
    const flush = () => {
      content.update(text)
      writeSync(file, text)
      text = ''
    }
    const writeLine = (value: unknown) => {
      text += `${JSON.stringify(value)}\n`
      if (text.length > WRITE_BYTES) flush()
    }
    writeLine(header)
    for (const table of tables) {
      const names = Object.keys(table.columns)
      for (const row of rows.list(table)) {
        // The cast is safe, because each row of a table has the table's columns.
        const values = row as Readonly<Record<string, unknown>>
        writeLine([table.name, names.map((name) => toStored(values[name]))])
      }
    }
    flush()
    writeSync(file, `${formatEnd(content)}\n`)
  } catch (error) {
    rmSync(path)
    throw error
  } finally {
    closeSync(file)
  }
}

/** Removes the new files of runs that were killed before `replaceState`. */
export async function removeLeftStates(place: Place, nowMs: number): Promise<void> {
  const prefix = `${basename(getStateFile(place))}.`
  for (const name of await readdir(place.folder)) {
    if (!name.startsWith(prefix) || !name.endsWith(NEW)) continue
    const file = join(place.folder, name)
    const found = await lstat(file).catch(() => null)
    if (found !== null && nowMs - found.mtimeMs > LEFT_MS) await rm(file, { force: true })
  }
}

/**
 * Makes the new file the state of the ledger. If the verification found a problem, removes the new
 * file; and the earlier state too, if the verification has read the events before it. Otherwise the
 * next verification would continue from that state and not read the events with the problem.
 */
export async function replaceState(
  place: Place,
  { from, found }: { from: bigint; found: readonly string[] },
): Promise<void> {
  const fresh = getNewFile(place)
  if (found.length === 0) {
    if (existsSync(fresh)) await rename(fresh, getStateFile(place))
    return
  }
  await rm(fresh, { force: true })
  if (from === 0n) await rm(getStateFile(place), { force: true })
}

const NEW = '.new'
const getNewFile = (place: Place) => `${getStateFile(place)}.${process.pid}${NEW}`

/** The maximum number of bytes in a line. Each line contains one row. */
const LINE_BYTES_MAX = 1 << 20

async function* readTextLines(file: string): AsyncGenerator<string> {
  for await (const line of readLines(file, { maxBytes: LINE_BYTES_MAX }))
    yield line.toString('utf8')
}

function formatEnd(content: Hash): string {
  return JSON.stringify({ sha256: content.copy().digest('hex') })
}

function hashTables(tables: readonly Table[]): string {
  const text = JSON.stringify(tables.map(({ name, key, columns }) => [name, key, columns]))
  return createHash('sha256').update(text).digest('hex')
}

function toStored(value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}

function createRowReader(table: Table) {
  const columns = Object.entries(table.columns)
  return {
    table,
    read: (values: readonly unknown[]) =>
      Object.fromEntries(
        columns.map(([name, column], at) => {
          const value = values[at]
          const isInteger = getSqlType(column) === 'int8' && value !== null
          return [name, isInteger ? BigInt(String(value)) : value]
        }),
      ),
  }
}
