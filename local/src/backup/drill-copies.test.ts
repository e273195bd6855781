import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
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

test('the copy of a killed drill is removed, and no other folder', async () => {
  const running = await createDrillCopy()
  const left = join(folder, 'cairn-drill-left')
  const foreign = join(folder, 'cairn-drill-foreign')
  const other = join(folder, 'other')
  for (const path of [left, foreign, other]) await mkdir(path)
  // No process can have this id.
  await writeFile(join(left, 'owner'), String(2 ** 30))
  await removeLeftCopies()
  expect(existsSync(left)).toBe(false)
  for (const path of [running, foreign, other]) expect(existsSync(path)).toBe(true)
})

test('a backup that is larger than the disk of the copies is refused with the reason', async () => {
  await requireSpaceForCopy({ bytes: 0 })
  await expect(requireSpaceForCopy({ bytes: 2 ** 43 })).rejects.toThrow(
    /^the drill needs 8,\d{3},\d{3} MB in .*set TMPDIR/,
  )
})
