import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkCheckpoints } from './checkpoints.ts'

const SIZE = 7n

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-checkpoints-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** The root of a ledger in which each root consists of its size. */
const getRoot = (size: bigint) => Buffer.alloc(32, Number(size))

const readHead = async (size: bigint | null) => {
  return { size: size ?? SIZE, root: getRoot(size ?? SIZE).toString('hex') }
}

function formatNote(size: bigint, root = getRoot(size)): string {
  return `cairn.localhost/ledger/1\n${size}\n${root.toString('base64')}\n\n— cairn.localhost/ledger/1 AAAA\n\n`
}

async function check(...notes: readonly string[]) {
  await writeFile(join(folder, 'ledger-1-checkpoints-2026-11.txt'), notes.join(''))
  return checkCheckpoints({ readHead, checkpointFolders: [folder, folder] })
}

test('checkpoints that the ledger contains have no problem', async () => {
  expect(await check(formatNote(3n), formatNote(SIZE))).toEqual({ compared: 4, problems: [] })
})

test('sabotaged twin: a checkpoint of another history is found', async () => {
  const { problems } = await check(formatNote(3n, getRoot(4n)), formatNote(SIZE))
  expect(problems).toHaveLength(2)
  expect(problems[0]).toContain('the checkpoint of 3 events is not in the ledger')
})
