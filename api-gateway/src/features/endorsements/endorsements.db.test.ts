import { ENDORSEMENTS_MAX, type Endorsement } from '@cairn/gateway-contracts'
import { createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countLockWaits, runDuring } from '../../../testing/run-during.ts'
import { expectOk, getId, type Scene, startScene } from '../../../testing/scene.ts'
import type { DatabaseTransaction } from '../../platform/database/database.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

const quote = 'I check each receipt myself.'
const form = { kind: 'testimonial', name: 'Ada Example', quote, isPaid: false }
const consent = 'Letter of 3 November 2026, in the file of the compliance officer'

const add = (body: object) => scene.call(scene.admin, 'POST', '/admin/endorsements', body)

async function listPublicEndorsements(): Promise<readonly object[]> {
  const { endorsements } = await expectOk<{ endorsements: object[] }>(
    scene.call(scene.stranger, 'GET', '/public/endorsements'),
  )
  return endorsements
}

async function readCounts(): Promise<object> {
  const { settings } = await expectOk<{ settings: { endorsementCounts: object } }>(
    scene.call(scene.stranger, 'GET', '/public/settings'),
  )
  return settings.endorsementCounts
}

test('nothing is shown until the operator adds it', async () => {
  expect(await listPublicEndorsements()).toEqual([])
})

test.each([
  ['no consent', { ...form }, 'consent'],
  ['a consent of a few letters', { ...form, consent: 'yes' }, 'consent'],
  ['a testimonial without words', { ...form, consent, quote: '' }, 'quote'],
  ['no word about payment', { ...form, consent, isPaid: undefined }, 'isPaid'],
])('is refused: %s', async (_name, body, field) => {
  const { status, body: answer } = await add(body)
  expect(status).toBe(400)
  expect(JSON.stringify(answer)).toContain(field)
  expect(await listPublicEndorsements()).toEqual([])
})

test('visitors see a shown entry, and never its consent', async () => {
  const id = getId(await expectOk(add({ ...form, consent, isPaid: true })), 'endorsement')
  const [shown] = await listPublicEndorsements()
  expect(shown).toEqual({ id, _id: id, role: null, ...form, isPaid: true })
  expect(await readCounts()).toEqual({ testimonial: 1, sponsor: 0 })
  const path = `/admin/endorsements/${id}`
  const hidden = { ...form, consent, isPaid: true, displayStatus: false }
  await expectOk(scene.call(scene.admin, 'PUT', path, hidden))
  expect(await listPublicEndorsements()).toEqual([])
  expect(await readCounts()).toEqual({ testimonial: 0, sponsor: 0 })
  await expectOk(scene.call(scene.admin, 'DELETE', path))
  expect((await scene.call(scene.admin, 'PUT', path, hidden)).status).toBe(404)
})

test('a form that was opened before another change does not undo this change', async () => {
  const added = await expectOk<{ endorsement: Endorsement }>(add({ ...form, consent }))
  const { id, updatedAt } = added.endorsement
  const path = `/admin/endorsements/${id}`
  const seen = `${path}?updatedAt=${encodeURIComponent(updatedAt)}`
  const edit = (on: string, body: object) => scene.call(scene.admin, 'PUT', on, body)
  const lockRow = async (trx: DatabaseTransaction) => {
    const row = trx.selectFrom('platform.endorsement').select('id').where('id', '=', id)
    await row.forUpdate().execute()
  }
  const finish = async () => {
    await expect.poll(() => countLockWaits(scene.gateway)).toBe(2)
  }
  const editTwice = () =>
    Promise.all([
      edit(seen, { ...form, consent, displayStatus: false }),
      edit(seen, { ...form, consent, displayStatus: false, name: 'Ada E.' }),
    ])
  const replies = await runDuring(scene.gateway, lockRow, editTwice, { finish })
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const stale = await edit(seen, { ...form, consent })
  expect(stale).toMatchObject({ status: 409, body: { code: 'VERSION_CONFLICT' } })
  expect(await listPublicEndorsements()).toEqual([])
  // Sabotaged twin: without the state that was seen, as from a page of 0.9.0, it is public again.
  expect((await edit(path, { ...form, consent })).status).toBe(200)
  expect(await listPublicEndorsements()).toMatchObject([{ id }])
  await expectOk(scene.call(scene.admin, 'DELETE', path))
})

test('a form whose answer was lost is saved again without a conflict', async () => {
  const added = await expectOk<{ endorsement: Endorsement }>(add({ ...form, consent }))
  const { id, updatedAt } = added.endorsement
  const path = `/admin/endorsements/${id}?updatedAt=${encodeURIComponent(updatedAt)}`
  const edit = (body: object) => scene.call(scene.admin, 'PUT', path, body)
  const saved = await expectOk(edit({ ...form, consent, name: 'Ada E.' }))
  expect(await expectOk(edit({ ...form, consent, name: 'Ada E.' }))).toEqual(saved)
  const other = { ...form, consent: `${consent}, page 2`, name: 'Ada E.' }
  expect((await edit(other)).status).toBe(409)
  await expectOk(scene.call(scene.admin, 'DELETE', `/admin/endorsements/${id}`))
})

test('a sponsor has no quote', async () => {
  await expectOk(add({ ...form, kind: 'sponsor', consent }))
  expect(await listPublicEndorsements()).toMatchObject([{ kind: 'sponsor', quote: null }])
})

test('the number of entries is limited', async () => {
  const row = { kind: 'sponsor', name: 'B', role: null, quote: null, consent } as const
  const shown = { is_paid: false, is_visible: true, updated_at: new Date() }
  const rows = Array.from({ length: ENDORSEMENTS_MAX }, (_, position) => ({
    ...row,
    ...shown,
    id: createId(Date.now()),
    position,
  }))
  await scene.gateway.db.insertInto('platform.endorsement').values(rows).execute()
  expect(await add({ ...form, consent })).toMatchObject({ status: 422, body: { code: 'TOO_MANY' } })
})
