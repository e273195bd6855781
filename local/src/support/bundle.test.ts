import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPlatformRedactor, writeBundle } from './bundle.ts'
import { describeConfiguration } from './contents.ts'

const SECRET = 'a-secret-of-this-platform'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cairn-bundle-'))
  await mkdir(join(dataDir, 'secrets', 'keys'), { recursive: true })
  await writeFile(join(dataDir, 'secrets', 'keys', 'first'), `one line\n${SECRET}\n`)
})
afterEach(() => rm(dataDir, { recursive: true }))

async function readBundle(redact: (text: string) => string): Promise<string> {
  const target = join(dataDir, 'bundle.tar.gz')
  const read = async () => `the token is ${SECRET}`
  const fail = async () => Promise.reject(new Error('no answer'))
  const entries = [
    { file: 'logs/ledger.log', read },
    { file: 'database.json', read: fail },
  ]
  expect(await writeBundle(target, { entries, redact })).toEqual(['database.json'])
  return execFileSync('tar', ['-xzOf', target], { encoding: 'utf8' })
}

test('the secrets of a platform are removed, and a failure does not end the bundle', async () => {
  const text = await readBundle(await createPlatformRedactor(dataDir))
  expect(text).toContain('the token is [secret]')
  expect(text).toContain('could not be read: no answer')
})

test('sabotaged twin: a redactor that knows no secret leaves it in the bundle', async () => {
  const text = await readBundle(await createPlatformRedactor(join(dataDir, 'elsewhere')))
  expect(text).toContain(SECRET)
})

test('the configuration has the value of each variable, except those of secrets', () => {
  const described = describeConfiguration({ PORT: '9000', S3_SECRET_ACCESS_KEY: SECRET })
  expect(described).toMatchObject({
    PORT: '9000',
    HOST: '127.0.0.1 (default)',
    S3_SECRET_ACCESS_KEY: 'set',
    S3_ACCESS_KEY_ID: 'not set',
  })
})
