import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface MigrationFile {
  readonly name: string
  readonly text: string
  readonly sha256: string
}

const SQL_FOLDER = join(import.meta.dirname, '..', 'sql')
const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/

export async function readMigrationFiles(folder = SQL_FOLDER): Promise<readonly MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const numbers = new Set<string>()
  for (const name of names) {
    if (!FILE_NAME.test(name))
      throw new Error(`migration ${name} must have a name of the form NNNN_subject.sql`)
    const number = name.slice(0, 4)
    if (numbers.has(number)) throw new Error(`two migrations have the number ${number}`)
    numbers.add(number)
  }
  return Promise.all(names.map((name) => readMigrationFile(folder, name)))
}

async function readMigrationFile(folder: string, name: string): Promise<MigrationFile> {
  // Git may check out text with CR LF, which must not change the checksum.
  const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
  return { name, text, sha256: createHash('sha256').update(text).digest('hex') }
}
