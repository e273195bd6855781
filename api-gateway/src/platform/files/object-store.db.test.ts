import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRecordedEvent } from '../../../testing/recorded-event.ts'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { createBlobStore } from './blob-store.ts'
import { createImageQueue } from './image-queue.ts'
import { createObjectStore, type ObjectStore } from './object-store.ts'
import { createReceiptFollower, sweepFiles } from './sweep.ts'

const DAY_MS = 86_400_000
const OWNER = '01jd8x4zq3kr5v7w9yab'

let folder: string
let s3: S3rver
let objects: ObjectStore
let gateway: TestGateway
let picture: Buffer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-s3-'))
  s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'cairn-files' }],
  })
  // The cast is safe because a server that listens on TCP has such an address.
  const { port } = (await s3.run()) as AddressInfo
  objects = createObjectStore({
    url: `http://127.0.0.1:${port}/cairn-files`,
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  })
  gateway = await startTestGateway({ objects })
  picture = await createPicture('#0e5c4a')
})
afterAll(async () => {
  await gateway?.stop()
  await s3?.close()
  await rm(folder, { recursive: true, force: true })
})

function createPicture(background: string): Promise<Buffer> {
  return sharp({ create: { width: 20, height: 20, channels: 3, background } })
    .png()
    .toBuffer()
}

const putPicture = (nowMs: number, received = picture, purpose: 'receipt' | 'photo' = 'receipt') =>
  createBlobStore({ db: gateway.db, dailyScale: 1, images: createImageQueue(), objects }).put({
    ownerId: OWNER,
    purpose,
    received,
    nowMs,
  })

describe('a server with the S3 API', () => {
  test('stores the bytes, and the database stores the row', async () => {
    const { id, sha256 } = await putPicture(Date.now())
    const row = await gateway.db
      .selectFrom('platform.file')
      .select(['bytes', 'size_bytes'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.bytes).toBeNull()
    const store = createBlobStore({
      db: gateway.db,
      dailyScale: 1,
      images: createImageQueue(),
      objects,
    })
    const found = await store.find(id)
    expect(found).toMatchObject({ mediaType: 'image/png', sha256 })
    expect(found?.bytes).toHaveLength(row.size_bytes)
    expect(await putPicture(Date.now())).toEqual({ id, sha256 })
  })

  test('that cannot be reached leaves no row behind', async () => {
    const away = createObjectStore({
      url: 'http://127.0.0.1:1/cairn-files',
      region: 'us-east-1',
      accessKeyId: 'a',
      secretAccessKey: 'b',
    })
    const store = createBlobStore({
      db: gateway.db,
      dailyScale: 1,
      images: createImageQueue(),
      objects: away,
    })
    const received = await sharp(picture).negate().png().toBuffer()
    const putting = store.put({ ownerId: OWNER, purpose: 'receipt', received, nowMs: Date.now() })
    await expect(putting).rejects.toThrow()
    const rows = await gateway.db.selectFrom('platform.file').select('id').execute()
    expect(rows).toHaveLength(1)
  })
})

test('a picture that was a photo before is stored as a receipt too', async () => {
  const received = await createPicture('#2b4a8a')
  const photo = await putPicture(Date.now(), received, 'photo')
  const receipt = await putPicture(Date.now(), received)
  expect(receipt.sha256).toBe(photo.sha256)
  const rows = await gateway.db
    .selectFrom('platform.file')
    .select(['id', 'purpose'])
    .where('sha256', '=', photo.sha256)
    .orderBy('purpose')
    .execute()
  expect(rows).toEqual([
    { id: photo.id, purpose: 'photo' },
    { id: receipt.id, purpose: 'receipt' },
  ])
})

describe('a file without a reference', () => {
  test('is deleted after a day, and a file of a deposit is not', async () => {
    const longAgo = Date.now() - 2 * DAY_MS
    const kept = await putPicture(longAgo, await sharp(picture).rotate(90).blur().png().toBuffer())
    const lost = await putPicture(longAgo, await sharp(picture).negate().png().toBuffer())
    const data = {
      transactionId: OWNER,
      investorId: OWNER,
      amountMinor: '1000',
      feeMinor: '0',
      feePpm: '0',
      method: 'Bank Transfer',
      paymentOptionId: null,
      receiptId: kept.id,
      receiptSha256: kept.sha256,
    }
    const event = createRecordedEvent({
      type: 'DepositRequested',
      schemaVersion: 2,
      recordedAt: new Date().toISOString(),
      data,
    })
    await gateway.db
      .transaction()
      .execute((trx) => createReceiptFollower().handle([event], trx, {}))

    const runSweep = (isUpToDate: boolean) =>
      sweepFiles({ db: gateway.db, objects }, { nowMs: Date.now(), isUpToDate })
    expect(await runSweep(false)).toBe(0)
    const away = {
      ...objects,
      remove: () => Promise.reject(new Error('the store does not answer')),
    }
    const sweepAway = sweepFiles(
      { db: gateway.db, objects: away },
      { nowMs: Date.now(), isUpToDate: true },
    )
    await expect(sweepAway).rejects.toThrow('does not answer')
    expect(await runSweep(true)).toBe(1)
    expect(await objects.get(`files/${lost.id}`)).toBeNull()
    expect(await objects.get(`files/${kept.id}`)).not.toBeNull()
    expect(await runSweep(true)).toBe(0)
  })

  test('that is uploaded again begins its day again', async () => {
    const received = await createPicture('#8a2b2b')
    const { id } = await putPicture(Date.now() - 2 * DAY_MS, received)
    await putPicture(Date.now(), received)
    const sweep = { nowMs: Date.now(), isUpToDate: true }
    expect(await sweepFiles({ db: gateway.db, objects }, sweep)).toBe(0)
    expect(await objects.get(`files/${id}`)).not.toBeNull()
  })
})
