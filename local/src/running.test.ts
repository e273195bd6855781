import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claimDataDir } from './running.ts'

let dataDir: string
const ignoreLine = () => {}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cairn-running-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

describe('claimDataDir', () => {
  it('gives a data directory to one platform and names the holder to the next', async () => {
    await claimDataDir(dataDir, ignoreLine)
    await expect(claimDataDir(dataDir, ignoreLine)).rejects.toThrow(
      `the data directory ${dataDir} is in use by process ${process.pid}`,
    )
  })

  it('claims it again after a release', async () => {
    const notes = await claimDataDir(dataDir, ignoreLine)
    await notes.release()
    await (await claimDataDir(dataDir, ignoreLine)).release()
  })

  it('ignores the record of a process whose id now belongs to another process', async () => {
    const notes = await claimDataDir(dataDir, ignoreLine)
    await notes.release()
    const note = { pid: process.pid, started: 'long ago' }
    const abandoned = await claimDataDir(dataDir, ignoreLine)
    await writeFile(join(dataDir, 'run', 'platform.json'), JSON.stringify(note))
    await (await claimDataDir(dataDir, ignoreLine)).release()
    await abandoned.release()
  })

  it('ends only the processes that a killed platform left running', async () => {
    const left = spawn('sleep', ['60'])
    const ended = new Promise((resolve) => left.once('exit', (_code, signal) => resolve(signal)))
    const killed = await claimDataDir(dataDir, ignoreLine)
    await killed.recordProcess('mail', left.pid ?? 0)
    await rm(join(dataDir, 'run', 'platform.json'))

    const said: string[] = []
    await claimDataDir(dataDir, (line) => said.push(line))
    expect(await ended).toBe('SIGTERM')
    expect(said).toEqual([
      `ending the mail (process ${left.pid}) that an earlier platform left behind`,
    ])
    expect(await readdir(join(dataDir, 'run'))).toEqual(['platform.json'])
  })
})
