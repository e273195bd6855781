import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Part, startPart } from './part.ts'

let folder: string
let part: Part | null = null
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-part-'))
})
afterEach(async () => {
  await part?.stop(2_000)
  part = null
  await rm(folder, { recursive: true })
})

/**
 * Runs a program. Returns the ids of the program's processes and the messages that the platform
 * received.
 */
async function run(program: string) {
  const file = join(folder, 'program.mjs')
  await writeFile(file, program)
  const [pids, lines]: [number[], string[]] = [[], []]
  part = startPart({
    name: 'a part',
    args: [file],
    env: { MARK: join(folder, 'mark') },
    logFile: join(folder, 'part.log'),
    log: (line) => lines.push(line),
    onStarted: (pid) => pids.push(pid),
    onGivenUp: () => {},
  })
  return { pids, lines }
}

const FAIL_ONCE = `
  import { existsSync, writeFileSync } from 'node:fs'
  setInterval(() => {}, 1_000)
  if (existsSync(process.env.MARK)) console.log('works')
  else { writeFileSync(process.env.MARK, ''); Promise.reject(new Error('an unhandled rejection')) }`

test('a part that ends by an error that nothing handles is logged and started again', async () => {
  const { pids, lines } = await run(FAIL_ONCE)
  const readLog = () => readFile(join(folder, 'part.log'), 'utf8')
  await expect.poll(readLog).toContain('works')
  expect(await readLog()).toContain('an unhandled rejection')
  expect(new Set(pids).size).toBe(2)
  expect(lines).toEqual([expect.stringContaining('a part ended (code 1); restarting')])
})

test('sabotaged twin: a part that survives its errors is not started again', async () => {
  const survive = `process.on('unhandledRejection', () => console.log('ignored'))${FAIL_ONCE}`
  const { pids, lines } = await run(survive)
  await expect.poll(() => readFile(join(folder, 'part.log'), 'utf8')).toContain('ignored')
  expect([pids.length, lines]).toEqual([1, []])
})
