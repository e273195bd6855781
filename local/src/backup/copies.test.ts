import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { formatStamp } from './backup-folder.ts'
import { backUpWithCheckpoints, copyGrown, listLongerFiles } from './checkpoint-copies.ts'
import { parseTime } from './command.ts'
import { listFolder } from './durable-files.ts'
import { markRestoreUnfinished, requireComplete } from './incomplete.ts'
import { getResultPath, recordResult } from './results.ts'
import { copySecrets, deleteOldSecrets, restoreSecrets } from './secrets-copies.ts'
import { prepareTargetFolder } from './target-folder.ts'

let folder: string
let dataDir: string
let backupDir: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-copies-'))
  dataDir = join(folder, 'data')
  backupDir = join(folder, 'backups')
  await mkdir(join(dataDir, 'secrets'), { recursive: true })
})
afterEach(() => rm(folder, { recursive: true }))

const DAYS = [1, 2, 3].map((day) => new Date(Date.UTC(2026, 10, day)))

describe('copySecrets', () => {
  const getSecretPath = (place: string) => join(place, 'secrets', 'session')

  async function copySecretsOnDay(day: number, text: string): Promise<string> {
    await writeFile(getSecretPath(dataDir), text)
    return copySecrets({ dataDir, backupDir, now: DAYS[day] ?? new Date() })
  }

  async function restore(until: Date | null): Promise<string> {
    const into = await mkdtemp(join(folder, 'restored-'))
    await restoreSecrets({ backupDir, into, until })
    return readFile(getSecretPath(into), 'utf8')
  }

  test('copies only changed secrets, and restores those of a time', async () => {
    const first = await copySecretsOnDay(0, 'one')
    expect(await copySecretsOnDay(1, 'one')).toBe(first)
    expect(await copySecretsOnDay(2, 'two')).not.toBe(first)
    expect(await restore(DAYS[1] ?? null)).toBe('one')
    expect(await restore(null)).toBe('two')
    // The given time is before the oldest copy, so the oldest copy is restored.
    expect(await restore(new Date(0))).toBe('one')
  })

  test('deletes copies that were replaced before a time', async () => {
    await copySecretsOnDay(0, 'one')
    await copySecretsOnDay(1, 'two')
    await deleteOldSecrets(backupDir, new Date(Date.UTC(2026, 10, 2) - 1))
    expect(await restore(new Date(0))).toBe('one')
    await deleteOldSecrets(backupDir, DAYS[2] ?? new Date())
    expect(await restore(new Date(0))).toBe('two')
  })

  test('removes the draft of an ended process, also if the secrets are unchanged', async () => {
    await copySecretsOnDay(0, 'one')
    const { pid } = spawnSync('true')
    const getDraft = (owner: number) => join(backupDir, 'secrets', `.draft-${owner}`)
    for (const owner of [pid, process.ppid]) await mkdir(getDraft(owner))
    await copySecretsOnDay(1, 'one')
    const names = await listFolder(join(backupDir, 'secrets'))
    expect(names.filter((name) => name.startsWith('.'))).toEqual([basename(getDraft(process.ppid))])
  })

  test('refuses a changed copy', async () => {
    const name = await copySecretsOnDay(0, 'one')
    await writeFile(getSecretPath(join(backupDir, 'secrets', name, 'files')), 'onE')
    await expect(restore(null)).rejects.toThrow('is damaged: its SHA-256')
  })

  test('says that there is no copy', async () => {
    await expect(restore(null)).rejects.toThrow('has no copy of the secrets')
  })
})

test('only the listed part of a growing file is copied', async () => {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  await mkdir(from)
  await writeFile(join(from, 'month.txt'), 'first\n')
  const grown = await listLongerFiles(from, to)
  await writeFile(join(from, 'month.txt'), 'first\nsecond\n')
  await copyGrown(grown, { from, to })
  expect(await readFile(join(to, 'month.txt'), 'utf8')).toBe('first\n')
  expect(await listLongerFiles(to, from)).toEqual([])
})

describe('backUpWithCheckpoints', () => {
  const NAME = 'ledger-1-checkpoints-2026-11.txt'
  let backups: number
  const backUp = (from: string) =>
    backUpWithCheckpoints({ from, to: backupDir }, async () => ++backups)
  beforeEach(() => {
    backups = 0
  })

  test('copies a file that continues its copy', async () => {
    await mkdir(backupDir)
    await writeFile(join(backupDir, NAME), 'first\n')
    await writeFile(join(dataDir, NAME), 'first\nsecond\n')
    await rm(join(dataDir, 'secrets'), { recursive: true })
    expect(await backUp(dataDir)).toBe(1)
    expect(await readFile(join(backupDir, NAME), 'utf8')).toBe('first\nsecond\n')
  })

  test('copies neither the verified state nor its drafts, which do not only grow', async () => {
    const state = 'ledger-1-verified.jsonl'
    for (const content of ['a state\n', 'a longer state\n']) {
      await writeFile(join(dataDir, NAME), content)
      await writeFile(join(dataDir, state), content.toUpperCase())
      await writeFile(join(dataDir, `${state}.71.new`), content)
      await backUp(dataDir)
      await rm(join(backupDir, NAME))
    }
    expect(backups).toBe(2)
    expect(await listFolder(backupDir)).toEqual([])
  })

  test('takes the backup and keeps a copy that the file does not continue', async () => {
    await mkdir(backupDir)
    await writeFile(join(backupDir, NAME), 'signed\n')
    await writeFile(join(dataDir, NAME), 'signed again\n')
    await expect(backUp(dataDir)).rejects.toThrow(`does not continue its copy`)
    expect(backups).toBe(1)
    expect(await readFile(join(backupDir, NAME), 'utf8')).toBe('signed\n')
  })

  test('takes the backup if the checkpoints cannot be read', async () => {
    const noFolder = join(folder, 'file')
    await writeFile(noFolder, '')
    await expect(backUp(noFolder)).rejects.toThrow(
      'the backup was taken, but the checkpoints were not copied: ENOTDIR',
    )
    expect(backups).toBe(1)
  })
})

test('a platform does not start on an unfinished restore', async () => {
  requireComplete(dataDir)
  await markRestoreUnfinished(dataDir, null)
  expect(() => requireComplete(dataDir)).toThrow(`the restore into ${dataDir} did not end`)
})

describe('prepareTargetFolder', () => {
  const prepareTestFolder = (isSettingAside: boolean) =>
    prepareTargetFolder({ into: dataDir, isSettingAside, print: () => {} })

  test('renames a folder that is not empty only if it may', async () => {
    await expect(prepareTestFolder(false)).rejects.toThrow(`${dataDir} is not empty`)
    const aside = (await prepareTestFolder(true)) ?? ''
    expect(aside).toContain(`${dataDir}.before-restore-`)
    expect(await listFolder(aside)).toContain('secrets')
    expect(await prepareTestFolder(false)).toBeNull()
  })

  test('returns the data that a failed restore replaced, not its rest', async () => {
    const lost = join(folder, 'lost')
    await markRestoreUnfinished(dataDir, lost)
    expect(await prepareTestFolder(true)).toBe(lost)
  })
})

test('the result of a failed command is stored', async () => {
  const place = { backupDir, command: 'drill' } as const
  await recordResult(place, async () => ({ events: 7 }))
  const read = async () => JSON.parse(await readFile(getResultPath(backupDir, 'drill'), 'utf8'))
  expect(await read()).toMatchObject({ passed: true, problem: null, events: 7 })
  const failing = recordResult(place, () => Promise.reject(new Error('it differs')))
  await expect(failing).rejects.toThrow('it differs')
  expect(await read()).toMatchObject({ passed: false, problem: 'it differs' })
})

test('a time must have a zone and be in the past', () => {
  expect(parseTime(undefined)).toBeNull()
  expect(formatStamp(parseTime('2026-11-01T02:00:00+02:00') ?? new Date())).toBe('20261101T000000Z')
  expect(() => parseTime('2026-11-01T02:00:00')).toThrow('--to must be a time such as')
  expect(() => parseTime('2999-01-01T00:00:00Z')).toThrow('--to must be in the past')
})
