import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDirectoryFile } from './directory-file.ts'
import { formatRanges, writeMovedLedger } from './write-directory.ts'

test.each([
  [[], []],
  [[4], [4]],
  [
    [3, 1, 2, 7, 9, 8],
    ['1-3', '7-9'],
  ],
  [
    [1, 2, 4],
    ['1-2', 4],
  ],
])('the ledgers %j are written as %j', (ledgers, ranges) => {
  expect(formatRanges(ledgers)).toEqual(ranges)
})

test('a moved ledger is in its new place only, and all other settings are kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-directory-'))
  const file = join(folder, 'directory.json')
  const east = { name: 'east', url: 'postgres://127.0.0.1:5501/cairn', ledgers: ['1-4'] }
  const west = { name: 'west', url: 'postgres://127.0.0.1:5502/cairn', ledgers: [5] }
  const readUrl = 'postgres://127.0.0.1:5503/cairn'
  writeFileSync(file, JSON.stringify({ places: [{ ...east, readUrl }, west] }))
  for (let time = 0; time < 2; time += 1) {
    await writeMovedLedger(file, { ledger: 3, to: 'west' })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      places: [
        { ...east, readUrl, ledgers: ['1-2', 4] },
        { ...west, ledgers: [3, 5] },
      ],
    })
  }
  expect(readDirectoryFile(file, 'cairn_ledger').map(({ ledgers }) => ledgers)).toEqual([
    [1, 2, 4],
    [3, 5],
  ])
  rmSync(folder, { recursive: true })
})
