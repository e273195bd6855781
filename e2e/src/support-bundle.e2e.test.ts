import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { platform, usePlatform } from './shared-site.ts'

const run = promisify(execFile)
const COMMAND = resolve(import.meta.dirname, '..', '..', 'local', 'src', 'support-bundle.ts')
const PARTS = ['gateway', 'gateway-worker', 'ledger', 'ledger-worker']

usePlatform()

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-bundle-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs the command and returns its output and the files of the archive, by path. */
async function collect(dataDir: string): Promise<{ printed: string; files: Map<string, string> }> {
  const target = join(folder, 'bundle.tar.gz')
  const { stdout } = await run(process.execPath, [COMMAND, '--into', target], {
    env: { ...process.env, DATA_DIR: dataDir, INIT_CWD: folder },
  })
  expect((await stat(target)).mode & 0o077).toBe(0)
  await run('tar', ['-xzf', target, '-C', folder])
  const root = join(folder, 'bundle')
  const files = new Map<string, string>()
  for (const name of await readdir(root, { recursive: true })) {
    const path = join(root, name)
    if ((await stat(path)).isFile()) files.set(name, await readFile(path, 'utf8'))
  }
  return { printed: stdout, files }
}

async function readSecretValues(): Promise<readonly string[]> {
  const place = join(platform.dataDir, 'secrets')
  const names = await readdir(place)
  const texts = await Promise.all(names.map((name) => readFile(join(place, name), 'utf8')))
  return texts.flatMap((text) => text.split('\n')).filter(({ length }) => length >= 8)
}

test('a bundle describes the running platform without secrets and email addresses', async () => {
  const secrets = await readSecretValues()
  const leak = `leaked ${secrets.join(' ')} to someone@mail.test from 203.0.113.9\n`
  await appendFile(join(platform.dataDir, 'logs', 'mail.log'), leak)
  const { files, printed } = await collect(platform.dataDir)
  expect(printed).toContain('bundle.tar.gz is written')
  expect([...files.keys()]).toEqual(
    expect.arrayContaining([
      'README.txt',
      'about.json',
      'configuration.json',
      ...PARTS.map((part) => `logs/${part}.log`),
      ...PARTS.map((part) => `metrics/cairn-${part}.txt`),
    ]),
  )
  expect(files.get('metrics/cairn-ledger.txt')).toContain('cairn_')
  const database = JSON.parse(files.get('database.json') ?? '')
  expect(Number(database.heads[0].size)).toBeGreaterThan(0)
  expect(database.tables.map(({ name }: { name: string }) => name)).toContain('ledger.event')

  const all = [...files.values()].join('\n')
  expect(all).toContain('leaked [secret]')
  expect(secrets.filter((secret) => all.includes(secret))).toEqual([])
  expect(all).not.toMatch(/[\w.+-]+@[\w-]+\.(test|example)/)
  expect(all).not.toContain('203.0.113.9')
})

test('without a running platform, the bundle has no metrics and no database', async () => {
  const { files, printed } = await collect(join(folder, 'data'))
  expect(printed).toContain('no platform runs on')
  expect([...files.keys()].sort()).toEqual([
    'README.txt',
    'about.json',
    'configuration.json',
    'platform.json',
  ])
  expect(JSON.parse(files.get('about.json') ?? '')).toMatchObject({ diskBytes: null })
})

test('a bundle replaces no file, and its name must end with .tar.gz', async () => {
  await collect(platform.dataDir)
  await expect(collect(platform.dataDir)).rejects.toThrow('EEXIST')
  const asked = run(process.execPath, [COMMAND, '--into', 'bundle.zip'])
  await expect(asked).rejects.toThrow('--into must name a file that ends with .tar.gz')
})
