import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const ROOT = resolve(import.meta.dirname, '..', '..')
const Releases = z.array(
  z.object({ version: z.string(), files: z.record(z.string(), z.string()).default({}) }),
)
const releases = Releases.parse(
  JSON.parse(readFileSync(join(ROOT, 'releases.json'), 'utf8')),
).filter(({ files }) => Object.keys(files).length > 0)

/** Returns the SHA-256 of the text, with the line ends that git stores. */
function hashText(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
}

/** Lists the files of the release whose text is not the released one. */
function listChanged(files: Record<string, string>, read: (path: string) => string) {
  return Object.keys(files).filter((path) => hashText(read(path)) !== files[path])
}

const readText = (path: string) => readFileSync(join(ROOT, path), 'utf8')

describe.each(releases)('release $version', ({ files }) => {
  test('has the migrations and the golden log of this version', () => {
    expect(listChanged(files, readText)).toEqual([])
  })

  test('sabotaged twin: an edited migration is named', () => {
    const edited = 'migrations/sql/0001_roles.sql'
    const read = (path: string) => readText(path) + (path === edited ? '-- edited\n' : '')
    expect(listChanged(files, read)).toEqual([edited])
  })
})

test('a release has frozen files', () => {
  expect(releases.map(({ version }) => version)).toContain('0.9.0')
})
