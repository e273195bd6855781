import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findPrograms } from './programs.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-programs-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('the packages of missing programs are named', async () => {
  await writeFile(join(folder, 'haproxy'), '')
  expect(() => findPrograms([folder], folder)).toThrow(
    'apt-get install --no-install-recommends etcd-server patroni postgresql-15',
  )
})

test('the programs and the newest supported server are found', async () => {
  for (const name of ['etcd', 'patroni', 'haproxy']) await writeFile(join(folder, name), '')
  for (const version of ['14', '15', '16']) {
    await mkdir(join(folder, version, 'bin'), { recursive: true })
    await writeFile(join(folder, version, 'bin', 'postgres'), '')
  }
  expect(findPrograms([join(folder, 'empty'), folder], folder)).toEqual({
    etcd: join(folder, 'etcd'),
    patroni: join(folder, 'patroni'),
    haproxy: join(folder, 'haproxy'),
    postgresFolder: join(folder, '16', 'bin'),
  })
})
