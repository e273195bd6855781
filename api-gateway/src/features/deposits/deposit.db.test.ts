import { formatMegabytes, PublicSettings } from '@cairn/gateway-contracts'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
  visitAs,
} from '../../../testing/test-gateway.ts'

const FILE_NAME = "../../etc/passwd\"; filename*=UTF-8''evil.html"

let gateway: TestGateway
let investor: Visitor
let picture: Buffer
beforeAll(async () => {
  gateway = await startTestGateway()
  const admin = await visitAs(gateway, 'admin')
  const body = { payOption: 'Bank Transfer', bank: 'First Bank', accountNumber: '1' }
  await send(gateway, admin, { method: 'POST', path: '/paymentOptions', body })
  const create = { width: 40, height: 30, channels: 3, background: '#336699' } as const
  picture = await sharp({ create })
    .png()
    .withMetadata({ exif: { IFD0: { Artist: 'Me' } } })
    .toBuffer()
})
beforeEach(async () => {
  const visitor = await visitAs(gateway, 'investor')
  if (visitor === null) throw new Error('an investor has a session')
  investor = visitor
  gateway.ledger.commands.length = 0
})
afterAll(() => gateway.stop())

function requestDeposit(
  bytes: Uint8Array<ArrayBuffer> | null,
  changes: Record<string, string> = {},
  key?: string,
) {
  const form = new FormData()
  const fields = { type: 'deposit', amount: '100.00', pay_option: 'Bank Transfer', ...changes }
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  if (bytes !== null) form.set('receipt', new File([bytes], FILE_NAME, { type: 'image/png' }))
  const headers = key === undefined ? {} : { 'idempotency-key': key }
  return send(gateway, investor, { method: 'POST', path: '/users/me/transactions', form, headers })
}

const encodeText = (value: string) => new TextEncoder().encode(value)

describe('a deposit', () => {
  test('stores a new picture of the receipt and puts its hash into the command', async () => {
    const reply = await requestDeposit(new Uint8Array(picture))
    expect(reply.status).toBe(201)
    const file = await gateway.db
      .selectFrom('platform.file')
      .selectAll()
      .where('owner_id', '=', investor.userId)
      .executeTakeFirstOrThrow()
    const stored = file.bytes ?? Buffer.alloc(0)
    expect(stored.equals(picture)).toBe(false)
    expect((await sharp(stored).metadata()).exif).toBeUndefined()
    expect(gateway.ledger.commands).toMatchObject([
      {
        type: 'RequestDeposit',
        actor: `user:${investor.userId}`,
        data: { amountMinor: 10_000n, receiptId: file.id, receiptSha256: file.sha256 },
      },
    ])
  })

  test('needs a receipt', async () => {
    const reply = await requestDeposit(null)
    expect(reply).toMatchObject({ status: 400, body: { message: 'Please provide receipt' } })
    expect(gateway.ledger.commands).toEqual([])
  })

  test.each([
    ['an SVG', encodeText('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a GIF', encodeText('GIF89a\u0001\u0000\u0001\u0000')],
    ['HTML named PNG', encodeText('<!doctype html><script>alert(1)</script>')],
    [
      'HTML behind the signature of a PNG',
      new Uint8Array([
        ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
        ...encodeText('<html>'),
      ]),
    ],
    ['a WebP', encodeText('RIFF\u0000\u0000\u0000\u0000WEBPVP8 ')],
  ])('with %s is refused', async (_name, bytes) => {
    const reply = await requestDeposit(new Uint8Array(bytes))
    expect(reply).toMatchObject({ status: 415, body: { code: 'NOT_AN_IMAGE' } })
    expect(gateway.ledger.commands).toEqual([])
  })

  test('with more bytes than the limit is refused, and with exactly the limit is decoded', async () => {
    const request = { method: 'GET', path: '/public/settings' } as const
    const { receiptBytesMax } = PublicSettings.parse(
      (await send(gateway, null, request)).body.data?.settings,
    )
    const reply = await requestDeposit(new Uint8Array(receiptBytesMax + 1))
    const message = `The file is larger than ${formatMegabytes(receiptBytesMax)} MB`
    expect(reply).toMatchObject({ status: 413, body: { code: 'TOO_LARGE', message } })
    expect((await requestDeposit(new Uint8Array(receiptBytesMax))).body.code).toBe('NOT_AN_IMAGE')
  })

  test.each(['1e3', '10.001', '-5', '0', 'ten', ''])('of %j is refused', async (amount) => {
    expect((await requestDeposit(new Uint8Array(picture), { amount })).status).toBe(400)
  })

  test('refuses a field that is not declared', async () => {
    const reply = await requestDeposit(new Uint8Array(picture), { status: 'success' })
    expect(reply.status).toBe(400)
    expect(reply.body.errors).toMatchObject([{ status: expect.any(String) }])
  })
})

describe('a deposit with a key', () => {
  test('has the same answer, byte for byte, if it is repeated, and uses one id', async () => {
    const replies = await Promise.all([
      requestDeposit(new Uint8Array(picture), {}, 'key-1'),
      requestDeposit(new Uint8Array(picture), {}, 'key-1'),
    ])
    replies.push(await requestDeposit(new Uint8Array(picture), {}, 'key-1'))
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    const ids = gateway.ledger.commands.map((command) =>
      JSON.stringify(command.data, stringifyBigint),
    )
    expect(new Set(ids).size).toBe(1)
    expect(gateway.ledger.commands.every(({ key }) => key === 'key-1')).toBe(true)
  })

  test('is refused with 422 if the key was used for other content', async () => {
    await requestDeposit(new Uint8Array(picture), {}, 'key-2')
    const reply = await requestDeposit(new Uint8Array(picture), { amount: '200' }, 'key-2')
    expect(reply).toMatchObject({ status: 422, body: { code: 'KEY_REUSED' } })
  })
})

describe('a receipt', () => {
  test('is served to its owner and to admins only, as a picture and nothing else', async () => {
    const { body } = await requestDeposit(new Uint8Array(picture))
    const { transaction } = body.data as unknown as { transaction: { id: string } }
    const request = { method: 'GET', path: `/transactions/${transaction.id}/receipt` }
    const own = await send(gateway, investor, request)
    expect(own.status).toBe(200)
    expect(own.headers.get('content-type')).toBe('image/png')
    expect(own.headers.get('x-content-type-options')).toBe('nosniff')
    expect(own.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(own.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    // The name of the uploaded file is not used.
    expect(own.headers.get('content-disposition')).toMatch(/^inline; filename="[\w-]+"$/)
    expect((await send(gateway, await visitAs(gateway, 'admin'), request)).status).toBe(200)
    expect((await send(gateway, await visitAs(gateway, 'investor'), request)).status).toBe(404)
    expect((await send(gateway, null, request)).status).toBe(401)
  })
})

function stringifyBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
