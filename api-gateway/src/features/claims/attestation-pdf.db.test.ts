import { afterAll, beforeAll, expect, test } from 'vitest'
import { getRequestedChange, readChange } from '../../../testing/change-requests.ts'
import {
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
  visitAs,
} from '../../../testing/test-gateway.ts'

const PDF = Buffer.from('%PDF-1.7\n1 0 obj <</OpenAction <</S /JavaScript>>>> endobj\n%%EOF\n')

let gateway: TestGateway
let admin: Visitor
beforeAll(async () => {
  gateway = await startTestGateway()
  const visitor = await visitAs(gateway, 'admin')
  if (visitor === null) throw new Error('an administrator has a session')
  admin = visitor
})
afterAll(() => gateway?.stop())

function upload(
  bytes: Buffer,
  to = '/admin/attestations',
  field = 'document',
  asOf = '2026-01-05',
) {
  const fields =
    field === 'document'
      ? { asOf, assets: '5.00' }
      : { payOption: 'Bank Transfer', bank: 'A Bank', accountNumber: '1' }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set(field, new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), 'bank.pdf')
  return send(gateway, admin, { method: 'POST', path: to, form })
}

test('an attestation takes a PDF, which is served unchanged and only as a download', async () => {
  const { id } = getRequestedChange(await upload(PDF))
  const { lines } = await readChange(gateway, admin, id)
  const document = lines.find(({ type }) => type === 'document')?.after
  const response = await fetch(`${gateway.url}${document}`, {
    headers: { cookie: admin.cookie },
  })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'content-disposition': expect.stringMatching(/^attachment; filename="attestation-after\.pdf"$/),
  })
  expect(Buffer.from(await response.arrayBuffer()).equals(PDF)).toBe(true)
})

test.each([
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>%%EOF')],
  ['HTML before the header of a PDF', Buffer.concat([Buffer.from('<html>'), PDF])],
  ['a PDF that was cut off', PDF.subarray(0, 40)],
  ['an end mark that is not at the end', Buffer.concat([PDF, Buffer.alloc(2_000)])],
])('%s is refused', async (_name, bytes) => {
  const reply = await upload(bytes)
  expect(reply).toMatchObject({ status: 415, body: { code: 'NOT_A_DOCUMENT' } })
})

test('no other purpose takes the stored PDF, although its owner and its bytes are the same', async () => {
  expect((await upload(PDF, '/admin/attestations', 'document', '2026-01-06')).status).toBe(409)
  const reply = await upload(PDF, '/paymentOptions', 'image')
  expect(reply).toMatchObject({ status: 415, body: { code: 'NOT_AN_IMAGE' } })
  // Sabotaged twin: if the gateway's check is skipped, a constraint of the table refuses a PDF for
  // every purpose except an attestation.
  const change = gateway.db.updateTable('platform.file').set({ purpose: 'payment-option' })
  await expect(change.execute()).rejects.toThrow(/file_pdf_check/)
})
