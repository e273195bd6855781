import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readSecretFiles } from './secret-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-secret-files-'))
afterAll(() => rmSync(folder, { recursive: true }))

function writeSecret(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

test('the content of a file becomes the value of the variable', () => {
  const file = writeSecret('token', '  a token of the ledger\n')
  expect(readSecretFiles({ SERVICE_TOKEN_FILE: file, LEDGERS: '2' })).toEqual({
    SERVICE_TOKEN: 'a token of the ledger',
    LEDGERS: '2',
  })
})

test('an empty variable counts as not set', () => {
  const file = writeSecret('smtp', 'smtp://mail')
  expect(readSecretFiles({ SMTP_URL: '', SMTP_URL_FILE: file })).toMatchObject({
    SMTP_URL: 'smtp://mail',
  })
  expect(readSecretFiles({ SMTP_URL: 'smtp://mail', SMTP_URL_FILE: '' })).toMatchObject({
    SMTP_URL: 'smtp://mail',
  })
})

test.each([
  ['both', { SMTP_URL: 'smtp://mail' }, 'set SMTP_URL or SMTP_URL_FILE, not both'],
  ['an empty file', {}, /^SMTP_URL_FILE names .*empty, which is empty$/],
])('%s is refused', (_what, more, message) => {
  const file = writeSecret('empty', '\n')
  expect(() => readSecretFiles({ SMTP_URL_FILE: file, ...more })).toThrow(message)
})

test('a file that does not exist is refused, and no other variable is read from a file', () => {
  const read = () => readSecretFiles({ SERVICE_TOKEN_FILE: '/missing' })
  expect(read).toThrow('SERVICE_TOKEN_FILE names /missing, which cannot be read (ENOENT)')
  expect(readSecretFiles({ LEDGER_SIGNING_KEY_FILE: '/missing' })).toEqual({
    LEDGER_SIGNING_KEY_FILE: '/missing',
  })
})
