import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requireKnownMigrations } from './known-migrations.ts'
import { readMigrationFiles } from './migration-files.ts'

const [FIRST, SECOND, THIRD] = ['0001_a.sql', '0012_expand_b.sql', '0013_contract_c.sql'] as const

let folder: string
let own: readonly { name: string; sha256: string }[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-known-'))
  for (const name of [FIRST, SECOND]) await writeFile(join(folder, name), `select '${name}';`)
  own = await readMigrationFiles(folder)
})
afterAll(() => rm(folder, { recursive: true }))

const NEW = { name: THIRD, sha256: '0'.repeat(64) }

test('the migrations of this version and the first of them are known', async () => {
  expect(await requireKnownMigrations(own, folder)).toBe(SECOND)
  expect(await requireKnownMigrations(own.slice(0, 1), folder)).toBe(FIRST)
})

test('a migration of a newer version is refused', async () => {
  await expect(requireKnownMigrations([...own, NEW], folder)).rejects.toThrow(
    `migration ${THIRD} is of a newer version: use the version of Cairn that applied it`,
  )
})

test.each([
  ['another content', () => own.map((file) => ({ ...file, sha256: NEW.sha256 })), FIRST],
  ['a migration left out', () => own.slice(1), SECOND],
])('%s is refused', async (_, list, name) => {
  await expect(requireKnownMigrations(list(), folder)).rejects.toThrow(
    `migration ${name} is not the one of this version`,
  )
})

test('an empty list is refused', async () => {
  await expect(requireKnownMigrations([], folder)).rejects.toThrow('no migration was recorded')
})
