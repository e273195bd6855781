import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { approveChange, getRequestedChange } from '../../../testing/change-requests.ts'
import { makeApprovers, setDualControl } from '../../../testing/dual-control.ts'
import { runDuring } from '../../../testing/run-during.ts'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import type { DatabaseTransaction } from '../../platform/database/database.ts'

let scene: Scene
let id: string
let path: string
beforeAll(async () => {
  scene = await startScene()
  await makeApprovers(scene.gateway, [scene.admin.userId, scene.second.userId])
  ;({ id } = await scene.gateway.db
    .selectFrom('platform.payment_option')
    .select('id')
    .executeTakeFirstOrThrow())
  path = `/paymentOptions/${id}`
})
afterAll(() => scene?.gateway.stop())

const readOption = () =>
  scene.gateway.db
    .selectFrom('platform.payment_option')
    .select(['account_number', 'is_visible', 'archived_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** Changes the account as the approval of two administrators does, which locks the row. */
const redirect = (accountNumber: string) => async (trx: DatabaseTransaction) => {
  await trx
    .updateTable('platform.payment_option')
    .set({ account_number: accountNumber })
    .where('id', '=', id)
    .execute()
}

const edit = (body: object) => () => scene.call(scene.admin, 'PATCH', path, body)

describe('while two administrators change an account, one administrator', () => {
  test('hides the option without restoring the old account', async () => {
    const reply = await runDuring(scene.gateway, redirect('NEW-1'), edit({ displayStatus: false }))
    expect(reply.status).toBe(200)
    expect(await readOption()).toMatchObject({ account_number: 'NEW-1', is_visible: false })
    const shown = await edit({ displayStatus: true })()
    await expectOk(approveChange(scene.gateway, scene.second, getRequestedChange(shown).id))
  })

  test('restores nothing with an edit that changes nothing', async () => {
    const { account_number } = await readOption()
    const reply = await runDuring(
      scene.gateway,
      redirect('NEW-2'),
      edit({ accountNumber: account_number }),
    )
    expect(reply.status).toBe(200)
    expect(await readOption()).toMatchObject({ account_number: 'NEW-2' })
  })
})

test('sabotaged twin: a write of the values that were read before restores the old account', async () => {
  const { account_number } = await readOption()
  const writeAll = () =>
    scene.gateway.db
      .updateTable('platform.payment_option')
      .set({ account_number, is_visible: true })
      .where('id', '=', id)
      .execute()
  await runDuring(scene.gateway, redirect('DIVERTED'), writeAll)
  expect(await readOption()).toMatchObject({ account_number })
})

describe('without a second administrator', () => {
  beforeAll(() => setDualControl(scene.gateway, 'single'))
  afterAll(() => setDualControl(scene.gateway, 'required'))

  test('an edit of an option that has just changed is refused', async () => {
    const reply = await runDuring(scene.gateway, redirect('NEW-3'), edit({ extra: 'A note' }))
    expect(reply).toMatchObject({ status: 409, body: { code: 'OPTION_CHANGED' } })
    expect(await readOption()).toMatchObject({ account_number: 'NEW-3' })
    await expectOk(edit({ extra: 'A note' })())
  })

  test('the removal of an option that has just changed is refused', async () => {
    const remove = () => scene.call(scene.admin, 'DELETE', path)
    const reply = await runDuring(scene.gateway, redirect('NEW-4'), remove)
    expect(reply).toMatchObject({ status: 409, body: { code: 'OPTION_CHANGED' } })
    expect(await readOption()).toMatchObject({ account_number: 'NEW-4', archived_at: null })
  })
})
