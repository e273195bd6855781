import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { EXPECTED } from './declared-access.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const TEST_FILE = /\.test\.ts$|\/(scene|test-browser)\.ts$/

/** Returns the sources of the gateway tests and of the system tests. */
function readTests(): readonly string[] {
  return ['api-gateway/src', 'api-gateway/testing', 'e2e/src']
    .flatMap((folder) => {
      const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      return names.map((name) => join(ROOT, folder, name))
    })
    .filter((path) => TEST_FILE.test(path))
    .map((path) => readFileSync(path, 'utf8'))
}

/** Returns true if a test contains the path of the endpoint, with any text for the parameters. */
function isNamed(call: string, test: string): boolean {
  const [method = '', path = ''] = call.split(' /')
  const literals = path.split(/\/:\w+/).map((part) => part.replaceAll('.', '\\.'))
  const parameter = '/(?:\\$\\{[^}]{1,60}\\}|:?[\\w.-]{1,40})'
  const whole = new RegExp(`${literals.join(parameter)}(?=[\`'?"\\s,]|$|\\$\\{)`)
  if (whole.test(test)) return true
  const [start = '', end = ''] = [literals[0], literals.at(-1)]
  if (literals.length < 2 || !test.includes(start)) return false
  // A test can have the start of the path in a variable. This function then searches for the end of
  // the path. If the path ends with a parameter, the function searches for the method.
  return end === ''
    ? test.includes(`'${method}'`)
    : new RegExp(`[}'\`\\w]${end.replace(/^\//, '/?')}\\b`).test(test)
}

function findUnnamedCalls(calls: readonly string[], tests: readonly string[]): readonly string[] {
  return calls.filter((call) => !tests.some((test) => isNamed(call, test)))
}

test('every call of the registry is written out in a test', () => {
  expect(findUnnamedCalls(Object.keys(EXPECTED), readTests())).toEqual([])
})

test('a call that no test names is found', () => {
  const call = ['GET /admin', 'nobody', ':id', 'asks'].join('/')
  expect(findUnnamedCalls([call], readTests())).toEqual([call])
})
