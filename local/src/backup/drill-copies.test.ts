import { existsSync } from 'node:fs'
import { chown, lstat, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDrillCopy, removeLeftCopies, requireSpaceForCopy } from './drill-copies.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-copies-'))
  vi.stubEnv('TMPDIR', folder)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

// No process can have this id.
const ENDED = String(2 ** 30)

/** Creates a folder that looks like the copy of a killed drill. */
async function createLeftCopy(name: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(path)
  await writeFile(join(path, 'owner'), ENDED)
  return path
}

test('the copy of a killed drill is removed, and no other folder', async () => {
  const running = await createDrillCopy()
  const foreign = join(folder, 'cairn-drill-foreign')
  const other = join(folder, 'other')
  for (const path of [foreign, other]) await mkdir(path)
  const left = await createLeftCopy('cairn-drill-left')
  await removeLeftCopies()
  expect(existsSync(left)).toBe(false)
  for (const path of [running, foreign, other]) expect(existsSync(path)).toBe(true)
})

test('a symbolic link to a folder stays, and so does the folder', async () => {
  const target = await createLeftCopy('other')
  const link = join(folder, 'cairn-drill-link')
  await symlink(target, link)
  await removeLeftCopies()
  expect((await lstat(link)).isSymbolicLink()).toBe(true)
  expect(existsSync(join(target, 'owner'))).toBe(true)
})

test.runIf(process.getuid?.() === 0)('root leaves the folder of another user alone', async () => {
  const foreign = await createLeftCopy('cairn-drill-foreign')
  await chown(foreign, 65_534, 65_534)
  await removeLeftCopies()
  expect(existsSync(join(foreign, 'owner'))).toBe(true)
})

test('a backup that is larger than the disk of the copies is refused with the reason', async () => {
  await requireSpaceForCopy({ bytes: 0 })
  await expect(requireSpaceForCopy({ bytes: 2 ** 43 })).rejects.toThrow(
    /^the drill needs 8,\d{3},\d{3} MB in .*set TMPDIR/,
  )
})
