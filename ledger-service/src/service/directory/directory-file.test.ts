import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDirectoryFile } from './directory-file.ts'

let folder: string
let file: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-directory-'))
  file = join(folder, 'directory.json')
  writeFileSync(join(folder, 'cairn_ledger'), 'p/1\n')
  writeFileSync(join(folder, 'cairn_auditor'), 'p2')
})
afterAll(() => rmSync(folder, { recursive: true }))

const east = { name: 'east', url: 'postgres://127.0.0.1:5501/cairn', ledgers: [1] }
const west = { name: 'west', url: 'postgres://127.0.0.1:5502/cairn', ledgers: ['2-4', 6, 5] }

function read(places: unknown, role: 'cairn_ledger' | 'cairn_auditor' = 'cairn_ledger') {
  writeFileSync(file, JSON.stringify({ places }))
  return readDirectoryFile(file, role)
}

test('each place has its database, the password of the role, its replica and its ledgers', () => {
  const places = [
    { ...east, passwordFile: '{role}', readUrl: 'postgres://127.0.0.1:5503/cairn' },
    west,
  ]
  expect(read(places)).toEqual([
    {
      name: 'east',
      databaseUrl: 'postgres://cairn_ledger:p%2F1@127.0.0.1:5501/cairn',
      readUrl: 'postgres://cairn_ledger:p%2F1@127.0.0.1:5503/cairn',
      ledgers: [1],
    },
    {
      name: 'west',
      databaseUrl: 'postgres://cairn_ledger@127.0.0.1:5502/cairn',
      readUrl: null,
      ledgers: [2, 3, 4, 5, 6],
    },
  ])
  expect(read(places, 'cairn_auditor')[0]?.databaseUrl).toBe(
    'postgres://cairn_auditor:p2@127.0.0.1:5501/cairn',
  )
})

test.each([
  ['no places', [], /Too small.*places/s],
  ['a ledger in two places', [{ ...east, ledgers: [1, 2] }, west], /ledger 2 is named twice/],
  ['a ledger in no place', [{ ...east, ledgers: [] }, west], /no place holds ledger 1/],
  ['no ledger', [{ ...east, ledgers: [] }], /no place holds a ledger/],
  ['two places of one name', [east, { ...west, name: 'east' }], /two places have the name east/],
  ['a name with a space', [{ ...east, name: 'the east' }], /must consist of a-z, 0-9 and -/],
  ['a password', [{ ...east, url: 'postgres://u:p@127.0.0.1/c' }], /no account and no password/],
  ['another kind of URL', [{ ...east, url: 'https://127.0.0.1' }], /Invalid URL/],
  ['a range that ends before it begins', [{ ...east, ledgers: ['4-2'] }], /or a range/],
  ['too many ledgers', [{ ...east, ledgers: ['1-1001'] }], /from 1 to 1000/],
  ['an unknown setting', [{ ...east, shape: 'citus' }], /Unrecognized key.*shape/s],
  ['a missing password', [{ ...east, passwordFile: 'gone' }], /passwordFile of place east/],
  [
    'a database elsewhere without TLS',
    [{ ...east, url: 'postgres://db.example/cairn' }],
    /^place east of LEDGER_DIRECTORY names a database on db\.example/,
  ],
])('a directory with %s is refused', (_what, places, sentence) => {
  expect(() => read(places)).toThrow(sentence)
})

test('a file that is missing or not JSON is named', () => {
  writeFileSync(file, '{')
  expect(() => readDirectoryFile(file, 'cairn_ledger')).toThrow(`the directory ${file} is not JSON`)
  const missing = join(folder, 'missing.json')
  expect(() => readDirectoryFile(missing, 'cairn_ledger')).toThrow(
    `LEDGER_DIRECTORY names ${missing}, which cannot be read (ENOENT)`,
  )
})
