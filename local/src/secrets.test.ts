import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSecrets } from './secrets.ts'

let dataDir: string
let folder: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cairn-secrets-'))
  folder = join(dataDir, 'secrets')
})
afterAll(() => rm(dataDir, { recursive: true }))

/**
 * Lists the paths of the folder and of its files that other accounts of this machine can access.
 */
async function listPathsReadableByOthers(): Promise<readonly string[]> {
  const paths = [folder, ...(await readdir(folder)).map((name) => join(folder, name))]
  const modes = await Promise.all(paths.map(async (path) => (await stat(path)).mode & 0o077))
  return paths.filter((_path, index) => modes[index] !== 0)
}

test('secrets are made once, are different and long, and only their owner reads them', async () => {
  const made = await readSecrets(dataDir)
  expect(await readSecrets(dataDir)).toEqual(made)
  expect(await listPathsReadableByOthers()).toEqual([])
  const names = await readdir(folder)
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  expect(names.length).toBeGreaterThan(15)
  expect(new Set(texts).size).toBe(texts.length)
  for (const text of texts) {
    expect(Buffer.from(text.trim(), 'base64url').length).toBeGreaterThanOrEqual(24)
  }
})

test('an empty secret is refused, and its file stays', async () => {
  const file = join(folder, 'token-metrics')
  const before = await readFile(file, 'utf8')
  await writeFile(file, '')
  await expect(readSecrets(dataDir)).rejects.toThrow(`${file} is empty: copy it from`)
  expect(await readFile(file, 'utf8')).toBe('')
  await writeFile(file, before)
})

test('sabotaged twin: a secret that others may read is found', async () => {
  await chmod(join(folder, 'session'), 0o644)
  expect(await listPathsReadableByOthers()).toEqual([join(folder, 'session')])
})
