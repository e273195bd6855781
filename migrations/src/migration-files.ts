import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * `expand` only adds, so programs of the previous version can run on the result. `contract` removes
 * or changes what only older programs use. The files of the baseline have no kind.
 */
export type MigrationKind = 'baseline' | 'expand' | 'contract'

export interface MigrationFile {
  readonly name: string
  readonly kind: MigrationKind
  readonly text: string
  readonly sha256: string
}

const SQL_FOLDER = join(import.meta.dirname, '..', 'sql')
/** The last file of the baseline. The files after it name their kind. */
const BASELINE_LAST = '0011'
const BASELINE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/
const CHANGE_NAME = /^\d{4}_(expand|contract)_[a-z0-9_]+\.sql$/

/** Returns the kind that the name of a migration says; null if the name is not valid. */
export function readKind(name: string): MigrationKind | null {
  if (name.slice(0, 4) <= BASELINE_LAST) return BASELINE_NAME.test(name) ? 'baseline' : null
  const [, kind] = CHANGE_NAME.exec(name) ?? []
  return kind === 'expand' || kind === 'contract' ? kind : null
}

export async function readMigrationFiles(folder = SQL_FOLDER): Promise<readonly MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const numbers = new Set<string>()
  for (const name of names) {
    if (readKind(name) === null) {
      throw new Error(
        `migration ${name} must have a name of the form NNNN_expand_subject.sql or ` +
          `NNNN_contract_subject.sql (up to ${BASELINE_LAST}: NNNN_subject.sql)`,
      )
    }
    const number = name.slice(0, 4)
    if (numbers.has(number)) throw new Error(`two migrations have the number ${number}`)
    numbers.add(number)
  }
  return Promise.all(names.map((name) => readMigrationFile(folder, name)))
}

async function readMigrationFile(folder: string, name: string): Promise<MigrationFile> {
  // Git may check out text with CR LF, which must not change the checksum.
  const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
  return {
    name,
    kind: readKind(name) ?? 'baseline',
    text,
    sha256: createHash('sha256').update(text).digest('hex'),
  }
}
