import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { removeJsonSchema } from './zod-json-schema.ts'

const path = new URL(import.meta.resolve('zod/v4')).pathname.replace(
  /v4\/index\.js$/,
  'v4/classic/schemas.js',
)
const zod = readFileSync(path, 'utf8')

test('nothing in Zod refers to the generator of JSON Schema any more', () => {
  const imported = /^import .*json-schema.*\n/gm
  const rest = removeJsonSchema(zod).replace(imported, '')
  expect(zod).toMatch(/processors\.stringProcessor/)
  expect(rest).not.toMatch(/processors\.\w+Processor|JSONSchemaMethod/)
  // The sums of checks are part of the same module, and forms read them.
  expect(rest).toMatch(/processors\.aggregateChecks/)
})

test('another version of Zod fails the build', () => {
  const changed = zod.replaceAll('processJSONSchema', 'writeJSONSchema')
  expect(() => removeJsonSchema(changed)).toThrow('change zod-json-schema.ts')
})
