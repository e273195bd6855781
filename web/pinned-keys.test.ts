import { readFile } from 'node:fs/promises'
import { resolveConfig } from 'vite'
import { afterEach, expect, test, vi } from 'vitest'
import { parsePinnedKeys } from './pinned-keys.ts'
import { signFork, VERIFIER_KEY } from './testing/signed-log.ts'

const HANDOVER = signFork({ size: 5n, lostSize: 9n, at: '2026-11-25T10:00:00.000Z' })

test.each([
  ['an empty text', undefined, []],
  ['blank lines', '\n \n', []],
  ['the text of a file of keys', `${VERIFIER_KEY}\n${HANDOVER}\n`, [VERIFIER_KEY, HANDOVER]],
])('%s is parsed', (_, text, lines) => {
  expect(parsePinnedKeys(text)).toEqual(lines)
})

test.each([
  ['a text that is no key', 'cairn'],
  ['a handover without the first key', HANDOVER],
  ['a damaged handover', `${VERIFIER_KEY}\n${HANDOVER.replace(' 9 ', ' 8 ')}`],
])('%s ends the build', (_, text) => {
  expect(() => parsePinnedKeys(text)).toThrow('PINNED_LEDGER_KEYS is not usable')
})

afterEach(() => vi.unstubAllEnvs())

test('the build replaces the name that the pages read by the keys', async () => {
  vi.stubEnv('PINNED_LEDGER_KEYS', VERIFIER_KEY)
  const configFile = `${import.meta.dirname}/vite.config.ts`
  const { define = {} } = await resolveConfig({ configFile, logLevel: 'silent' }, 'build')
  const [name] = Object.keys(define)
  expect(define).toEqual({ __PINNED_LEDGER_KEYS__: JSON.stringify([VERIFIER_KEY]) })
  const page = await readFile(`${import.meta.dirname}/src/features/verify/pinned-keys.ts`, 'utf8')
  expect(page).toContain(`[] : ${name}`)
})
