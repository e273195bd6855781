import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  checkArchive,
  type Description,
  nameArchive,
  type Part,
  readArchive,
  writeArchive,
} from './archive.ts'

const PASSPHRASE = 'correct horse battery staple'
const DESCRIPTION: Description = {
  id: 'ab',
  exportedAt: '2026-11-26T12:00:00.000Z',
  cairn: '0.1.0',
  ledgers: [{ ledger: 1, size: '2', root: '00' }],
  migrations: [],
  jobTables: {},
}

let folder: string
let file: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-archive-'))
  file = join(folder, 'one.cairn')
})
afterAll(() => rm(folder, { recursive: true }))

async function* listParts(...parts: [name: string, blocks: string[]][]): AsyncGenerator<Part> {
  for (const [name, blocks] of parts) {
    yield {
      name,
      content: (async function* () {
        for (const block of blocks) yield Buffer.from(block)
      })(),
    }
  }
}

async function readTexts(path: string): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  const openPart = async (name: string) => {
    texts[name] = ''
    return {
      write: async (block: Buffer) => {
        texts[name] += block.toString()
      },
      end: async () => {},
    }
  }
  await readArchive({ file: path, passphrase: PASSPHRASE, openPart })
  return texts
}

test('an archive has its parts and their hashes, and only its owner can read it', async () => {
  const parts = listParts(['files/a', ['one ', 'two']], ['tables/b', []])
  const description = DESCRIPTION
  const written = await writeArchive({ file, passphrase: PASSPHRASE, description, parts })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readTexts(file)).toEqual({ 'files/a': 'one two', 'tables/b': '' })
  const manifest = await checkArchive({ file, passphrase: PASSPHRASE })
  expect(manifest).toEqual(written)
  expect(manifest).toMatchObject({
    format: 1,
    ...DESCRIPTION,
    parts: [
      {
        name: 'files/a',
        bytes: 7,
        sha256: '8ab63e29a4ba14e4e1688f9c15e5af90895421358c945b0431f85d66977bd3d2',
      },
      { name: 'tables/b', bytes: 0 },
    ],
  })
})

test('a file is never replaced', async () => {
  const again = { file, passphrase: PASSPHRASE, description: DESCRIPTION, parts: listParts() }
  await expect(writeArchive(again)).rejects.toThrow('EEXIST')
})

test('a changed or missing byte is refused, with the name of the file', async () => {
  const bytes = await readFile(file)
  const damaged = join(folder, 'damaged.cairn')
  const changed = Buffer.from(bytes)
  changed[bytes.length - 20] = (bytes.at(-20) ?? 0) ^ 1
  for (const wrong of [changed, bytes.subarray(0, -1)]) {
    await writeFile(damaged, wrong)
    await expect(checkArchive({ file: damaged, passphrase: PASSPHRASE })).rejects.toThrow(
      `${damaged} cannot be used: it is damaged`,
    )
  }
  // The unchanged bytes are accepted, so the refusals are about the changes.
  await writeFile(damaged, bytes)
  expect(await readTexts(damaged)).toEqual(await readTexts(file))
})

test('a file that does not exist is refused', async () => {
  const missing = { file: join(folder, 'none'), passphrase: PASSPHRASE }
  await expect(checkArchive(missing)).rejects.toThrow('ENOENT')
})

test('an archive whose name cannot be flushed is removed', async () => {
  const names = await readdir(folder)
  const [draft, named] = [join(folder, 'two.cairn.part'), join(folder, 'two.cairn')]
  await writeFile(draft, 'an archive')
  const sync = () => Promise.reject(new Error('the disk failed'))
  await expect(nameArchive({ draft, file: named, sync })).rejects.toThrow('the disk failed')
  expect(await readdir(folder)).toEqual(names)
  await writeFile(draft, 'an archive')
  await nameArchive({ draft, file: named })
  expect(await readFile(named, 'utf8')).toBe('an archive')
})
