import type { Reserve } from '@cairn/gateway-contracts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'

let scene: Scene
let option: string
beforeAll(async () => {
  scene = await startScene()
  const { paymentOptions } = await expectOk<{ paymentOptions: { id: string }[] }>(
    scene.call(scene.admin, 'GET', '/paymentOptions'),
  )
  option = paymentOptions[0]?.id ?? ''
})
afterAll(() => scene?.gateway.stop())

async function readNames(): Promise<Record<string, string>> {
  const { reserve } = await expectOk<{ reserve: Reserve }>(
    scene.call(scene.admin, 'GET', '/admin/reserve'),
  )
  return Object.fromEntries(reserve.cash.map((row) => [row.option, row.name]))
}

const readAccountName = async () =>
  (
    await expectOk<{ account: { name: string } }>(
      scene.call(scene.admin, 'GET', `/admin/cash/${option}`),
    )
  ).account.name

test('a cash account has the name of its payment option, which says if the option is deleted', async () => {
  expect(await readNames()).toEqual({
    treasury: 'Treasury',
    [option]: 'Example Bank (Bank Transfer)',
  })
  await expectOk(scene.call(scene.admin, 'DELETE', `/paymentOptions/${option}`, {}))
  const deleted = 'Example Bank (Bank Transfer) (deleted)'
  expect(await readNames()).toEqual({ treasury: 'Treasury', [option]: deleted })
  expect(await readAccountName()).toBe(deleted)
})

test('a cash account without a known payment option is not called Treasury', async () => {
  const superuser = new pg.Client({ connectionString: scene.gateway.databaseUrl })
  await superuser.connect()
  await superuser.query('delete from platform.payment_option_version')
  await superuser.query('delete from platform.payment_option')
  await superuser.end()
  expect(await readNames()).toEqual({ treasury: 'Treasury', [option]: 'Former payment option' })
})
