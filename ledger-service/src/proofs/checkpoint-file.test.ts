import { appendFile, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  appendCheckpoint as appendTo,
  findNewestNote as findIn,
  getCheckpointFileName,
} from './checkpoint-file.ts'

const LARGER_THAN_A_STRING = 700_000_000
/** The number of bytes in one read: a block and its overlap with the previous block. */
const WINDOW = 131_072

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-checkpoint-file-'))
  file = join(folder, getCheckpointFileName(1, '2026-11'))
})
afterEach(() => rm(folder, { recursive: true }))

const NOVEMBER = Date.UTC(2026, 10, 25)
const DECEMBER = Date.UTC(2026, 11, 1)

function appendCheckpoint(note: string, nowMs = NOVEMBER, ledger = 1): Promise<void> {
  return appendTo({ folder, ledger, nowMs }, note)
}

async function findNewestNote(ledger = 1): Promise<string | null> {
  return (await findIn({ folder, ledger }))?.note ?? null
}

function createNote(size: number, signatures = 1): string {
  const lines = Array.from(
    { length: signatures },
    () => `\u2014 cairn.test/ledger/1 ${'S'.repeat(8)}\n`,
  )
  return `cairn.test/ledger/1\n${size}\n${'R'.repeat(5)}=\n\n${lines.join('')}`
}

test('no file and an empty file hold no note', async () => {
  expect(await findNewestNote()).toBeNull()
  await writeFile(file, '')
  expect(await findNewestNote()).toBeNull()
})

test('the newest note is found in a file larger than the longest string', async () => {
  await appendCheckpoint(createNote(1))
  await truncate(file, LARGER_THAN_A_STRING)
  await appendCheckpoint(createNote(2))
  expect(await findNewestNote()).toBe(createNote(2))
})

test('a note is found at any position relative to the blocks', async () => {
  const large = createNote(7, 64)
  const bytes = Buffer.byteLength(large)
  for (const offset of [-1, 0, 1, 5, 19, 20, 22, 70, 500, bytes - 1, bytes]) {
    // The filler contains no note. Its length makes the last window start `offset` bytes after the
    // start of the note.
    await writeFile(file, `${createNote(6)}\n${large}${'x'.repeat(WINDOW - bytes + offset)}`)
    expect(await findNewestNote(), `offset ${offset}`).toBe(large)
  }
})

test('a note that was cut off at any byte is skipped, and the next note is readable', async () => {
  const cut = Buffer.from(createNote(2))
  for (let length = 0; length < cut.length; length += 1) {
    await writeFile(file, `${createNote(1)}\n`)
    await appendFile(file, cut.subarray(0, length))
    expect(await findNewestNote(), `cut after ${length} bytes`).toBe(createNote(1))
    await appendCheckpoint(createNote(3))
    expect(await findNewestNote(), `cut after ${length} bytes`).toBe(createNote(3))
    const { size } = await stat(file)
    await truncate(file, size - 5)
    expect(await findNewestNote(), `cut after ${length} bytes, twice`).toBe(createNote(1))
  }
})

test('each month has a file, and the newest note is found over all of them', async () => {
  await appendCheckpoint(createNote(1), NOVEMBER)
  await appendCheckpoint(createNote(2), DECEMBER)
  expect((await readdir(folder)).toSorted()).toEqual([
    'ledger-1-checkpoints-2026-11.txt',
    'ledger-1-checkpoints-2026-12.txt',
  ])
  expect(await findNewestNote()).toBe(createNote(2))
  // The clock was set back to November. The note is nevertheless written to the newest file and
  // found there.
  await appendCheckpoint(createNote(3), NOVEMBER)
  expect(await findNewestNote()).toBe(createNote(3))
  // The newest file contains only an incomplete note, so the newest complete note is in an older
  // file.
  await writeFile(join(folder, getCheckpointFileName(1, '2027-01')), 'cairn.test/ledger/1\n4\n')
  expect(await findNewestNote()).toBe(createNote(3))
})

test('files of other ledgers and month ends are not read', async () => {
  await appendCheckpoint(createNote(1))
  await appendCheckpoint(createNote(9), DECEMBER, 11)
  await writeFile(join(folder, 'ledger-1-2026-12.txt'), createNote(8))
  expect(await findNewestNote()).toBe(createNote(1))
  expect(await findNewestNote(11)).toBe(createNote(9))
  expect(await findNewestNote(2)).toBeNull()
})
