import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approveChange, getRequestedChange } from '../../../testing/change-requests.ts'
import { addApprover } from '../../../testing/dual-control.ts'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import type { Visitor } from '../../../testing/test-gateway.ts'

let scene: Scene
let superuser: pg.Pool
beforeAll(async () => {
  scene = await startScene()
  superuser = new pg.Pool({ connectionString: scene.gateway.databaseUrl })
})
afterAll(async () => {
  await superuser?.end()
  await scene?.gateway.stop()
})

/** An approver must wait a day before the first approval. */
const DAY_MS = 86_400_000
const CHANGED = { status: 500, body: { status: 'error', code: 'FILE_CHANGED' } }

/** Uploads a file of each kind. Returns the reader and the path of each of them. */
async function uploadFiles(): Promise<readonly (readonly [Visitor, string])[]> {
  const { admin, investor, depositId, upload, call } = scene
  await expectOk(upload(investor, { method: 'PUT', path: '/users/me/photo', field: 'photo' }))
  const { user } = await expectOk<{ user: { id: string } }>(call(investor, 'GET', '/users/me'))
  const listed = await expectOk<{ paymentOptions: { id: string }[] }>(
    call(admin, 'GET', '/paymentOptions'),
  )
  const option = `/paymentOptions/${listed.paymentOptions[0]?.id}`
  await expectOk(upload(admin, { method: 'PATCH', path: option, field: 'image' }))
  const attestation = getRequestedChange(
    await upload(admin, {
      method: 'POST',
      path: '/admin/attestations',
      field: 'document',
      fields: { asOf: '2026-01-05', assets: '5.00' },
    }),
  )
  for (const { userId } of [admin, scene.second]) await addApprover(scene.gateway, userId)
  await scene.gateway.moveAllClocks(DAY_MS)
  await expectOk(approveChange(scene.gateway, scene.second, attestation.id))
  const { rows } = await superuser.query('select id from platform.attestation')
  return [
    [admin, `/admin/attestations/${rows[0]?.id}/document`],
    [investor, `/transactions/${depositId}/receipt`],
    [admin, `/transactions/${depositId}/receipt`],
    [investor, `/users/${user.id}/photo`],
    [admin, `${option}/image`],
    [admin, `/admin/approvals/${attestation.id}/file`],
  ]
}

async function createOtherPicture(): Promise<Buffer> {
  return sharp(scene.picture).negate().png().toBuffer()
}

test('a superuser who replaces the bytes of a file does not deceive its readers', async () => {
  const readers = await uploadFiles()
  for (const [visitor, path] of readers) {
    expect([path, (await scene.call(visitor, 'GET', path)).status]).toEqual([path, 200])
  }
  await superuser.query('update platform.file set bytes = $1', [await createOtherPicture()])
  for (const [visitor, path] of readers) {
    expect([path, await scene.call(visitor, 'GET', path)]).toMatchObject([path, CHANGED])
  }
})

test('the hash in the ledger also protects a payment proof whose row was made to match', async () => {
  const { admin, depositId, call } = scene
  const other = await createOtherPicture()
  // Sabotaged twin: without a ledger's hash, such as for a photo, the matching row is accepted.
  await superuser.query("update platform.file set bytes = $1, sha256 = encode(sha256($1), 'hex')", [
    other,
  ])
  const { investor } = scene
  const { user } = await expectOk<{ user: { id: string } }>(call(investor, 'GET', '/users/me'))
  expect((await call(investor, 'GET', `/users/${user.id}/photo`)).status).toBe(200)
  expect(await call(admin, 'GET', `/transactions/${depositId}/receipt`)).toMatchObject(CHANGED)
})
