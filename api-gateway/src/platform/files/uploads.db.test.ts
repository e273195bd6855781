import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectOk, getId } from '../../../testing/scene.ts'
import {
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
  visitAs,
} from '../../../testing/test-gateway.ts'
import { HttpFailure } from '../http/failure.ts'
import { createBlobStore } from './blob-store.ts'
import { createImageQueue } from './image-queue.ts'
import { countUpload } from './upload-quota.ts'

const OWNER = '01jd8x4zq3kr5v7w9yab'
const queue = createImageQueue({ waitingMax: 0 })

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ alterDeps: (deps) => ({ ...deps, images: queue }) })
})
afterAll(() => gateway?.stop())

function createPicture(shade: number): Promise<Buffer> {
  const background = { r: shade, g: 90, b: 70 }
  return sharp({ create: { width: 9, height: 9, channels: 3, background } })
    .png()
    .toBuffer()
}

describe('a queue of images that is full', () => {
  test('refuses every call that takes an image, with the time to wait', async () => {
    const admin = await openUploader('admin')
    const investor = await openUploader('investor')
    const option = { payOption: 'Bank Transfer', bank: 'A Bank', accountNumber: '1' }
    const path = '/paymentOptions'
    const made = await expectOk(send(gateway, admin, { method: 'POST', path, body: option }))
    const calls = [
      [investor, 'PUT', '/users/me/photo', 'photo', {}],
      [
        investor,
        'POST',
        '/users/me/transactions',
        'receipt',
        { type: 'deposit', amount: '10.00', pay_option: 'Bank Transfer' },
      ],
      [admin, 'POST', path, 'image', option],
      [admin, 'PATCH', `${path}/${getId(made, 'paymentOption')}`, 'image', {}],
      [admin, 'POST', '/admin/attestations', 'document', { asOf: '2026-01-05', assets: '5.00' }],
    ] as const
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const holding = queue.run(() => held)
    const picture = await createPicture(1)
    for (const [visitor, method, to, field, fields] of calls) {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      form.set(field, new Blob([new Uint8Array(picture)]), 'picture.png')
      const reply = await send(gateway, visitor, { method, path: to, form })
      const body = { status: 'error', code: 'IMAGES_BUSY', retryAfter: 5 }
      expect([to, reply]).toMatchObject([to, { status: 503, body }])
      expect(reply.headers.get('retry-after')).toBe('5')
    }
    release()
    await holding
    const counted = await gateway.db.selectFrom('platform.upload_quota').select('files').execute()
    expect(counted.map(({ files }) => files)).toEqual([0, 0])
  })
})

async function openUploader(who: 'admin' | 'investor'): Promise<Visitor> {
  const visitor = await visitAs(gateway, who)
  if (visitor === null) throw new Error(`${who} has a session`)
  return visitor
}

describe('the daily quota', () => {
  /** Uploads all files at the same time. Returns the number of answers with each status. */
  async function uploadAll(
    files: readonly Buffer[],
    { ownerId, nowMs = Date.now() }: { ownerId: string; nowMs?: number },
  ): Promise<Record<number, number>> {
    const { db } = gateway
    const images = createImageQueue({ waitingMax: 1_000 })
    const blobs = createBlobStore({ db, dailyScale: 1, images, objects: null })
    const statuses = await Promise.all(
      files.map((received) =>
        blobs.put({ ownerId, purpose: 'photo', received, nowMs }).then(
          () => 200,
          (error: unknown) => (error instanceof HttpFailure ? error.status : 500),
        ),
      ),
    )
    const counts: Record<number, number> = {}
    for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
    return counts
  }
  const createPictures = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, shade) => createPicture(shade)))

  test('accepts 50 of 60 concurrent uploads, and starts again after a day', async () => {
    const pictures = await createPictures(61)
    const ownerId = `${OWNER}1`
    expect(await uploadAll(pictures.slice(0, 60), { ownerId })).toEqual({ 200: 50, 429: 10 })
    const nowMs = Date.now() + 86_400_000
    expect(await uploadAll(pictures.slice(60), { ownerId, nowMs })).toEqual({ 200: 1 })
  })

  test('says when a new count starts', async () => {
    const { db } = gateway
    const nowMs = Date.now()
    const upload = { ownerId: `${OWNER}4`, bytes: 21 * 1024 * 1024, scale: 1 }
    await countUpload(db, { ...upload, nowMs })
    const countAfter = (ms: number) => countUpload(db, { ...upload, nowMs: nowMs + ms })
    await expect(countAfter(0)).rejects.toMatchObject({ retryAfterSeconds: 86_400 })
    await expect(countAfter(86_399_500)).rejects.toMatchObject({ retryAfterSeconds: 1 })
    await countAfter(86_400_000)
  })

  test('counts images that cannot be decoded', async () => {
    const [picture = Buffer.alloc(0)] = await createPictures(1)
    const broken = Array.from({ length: 50 }, (_, byte) =>
      Buffer.concat([picture.subarray(0, 40), Buffer.alloc(40, byte)]),
    )
    const ownerId = `${OWNER}2`
    expect(await uploadAll(broken, { ownerId })).toEqual({ 415: 50 })
    expect(await uploadAll([picture], { ownerId })).toEqual({ 429: 1 })
  })

  test('sabotaged twin: a check before the insert lets all 60 through', async () => {
    // Sabotaged twin: a check that counts files before inserting lets all uploads pass.
    const ownerId = `${OWNER}3`
    const checks = Array.from({ length: 60 }, async () => {
      const { db } = gateway
      const found = db.selectFrom('platform.file').select('id').where('owner_id', '=', ownerId)
      return (await found.execute()).length < 50
    })
    expect((await Promise.all(checks)).filter(Boolean)).toHaveLength(60)
  })
})
