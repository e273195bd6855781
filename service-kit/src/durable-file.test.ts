import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFile } from './durable-file.ts'

const run = promisify(execFile)

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-files-'))
  file = join(folder, 'secret')
})
afterEach(() => rm(folder, { recursive: true }))

test('a file is created once, with its mode and without a draft', async () => {
  expect(await createFile(file, 'first', 0o600)).toBe(true)
  expect(await createFile(file, 'second', 0o600)).toBe(false)
  expect(await readFile(file, 'utf8')).toBe('first')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['secret'])
})

/** Runs the statement in a process that may not write to a file, as on a full disk. */
async function runOnFullDisk(statement: string): Promise<string> {
  const program = `
    import { writeFile } from 'node:fs/promises'
    import { createFile } from ${JSON.stringify(join(import.meta.dirname, 'durable-file.ts'))}
    await ${statement}.catch(({ code }) => console.log(code))`
  const command = `ulimit -f 0; exec ${process.execPath} --input-type=module -e "$1"`
  return (await run('bash', ['-c', command, 'bash', program])).stdout.trim()
}

test('a full disk leaves no file, and the call can be repeated', async () => {
  expect(await runOnFullDisk(`createFile(${JSON.stringify(file)}, 'whole')`)).toBe('EFBIG')
  expect(await readdir(folder)).toEqual([])
  expect(await createFile(file, 'whole')).toBe(true)
})

test('sabotaged twin: a file that is written in place stays empty on a full disk', async () => {
  const write = `writeFile(${JSON.stringify(file)}, 'whole', { flag: 'wx' })`
  expect(await runOnFullDisk(write)).toBe('EFBIG')
  expect(await readFile(file, 'utf8')).toBe('')
})
