import { FAQS_MAX } from '@cairn/gateway-contracts'
import { createId } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SEARCH_USERS_MAX } from '../src/features/users/user-list.ts'
import { expectOk, getId, type Scene, startScene } from './scene.ts'
import { setSettings } from './test-browser.ts'
import { type Reply, send } from './test-gateway.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

const formatReply = ({ status, body }: Reply) => `${status} ${body.code}: ${body.message}`

test('a search that fits too many people is refused by every list and file that searches', async () => {
  const { admin, gateway, call } = scene
  const { userId } = scene.stranger
  // Inserts copies of the stranger's row. The unique columns of each copy get new values.
  await sql`
    insert into identity.user
    select (jsonb_populate_record(u, jsonb_build_object(
      'id', substr(u.id, 1, 15) || lpad(n::text, 5, '0'),
      'email', n || 'x500' || u.email, 'account_id', lpad(n::text, 12, '0')))).*
    from identity.user u, generate_series(1, ${sql.lit(SEARCH_USERS_MAX + 1)}) n
    where u.id = ${userId}`.execute(gateway.db)
  for (const list of ['/transactions', '/transactions.csv', '/investments', '/investments.csv']) {
    const reply = await call(admin, 'GET', `${list}?q=person`)
    expect([list, formatReply(reply)]).toEqual([list, '422 SEARCH_TOO_WIDE: Narrow your search'])
    // An amount is found, however many addresses contain its digits.
    expect([list, (await call(admin, 'GET', `${list}?q=500`)).status]).toEqual([list, 200])
  }
  for (const list of ['/admin/ledger/events', '/admin/ledger/events.csv']) {
    const reply = await call(admin, 'GET', `${list}?user=Person`)
    expect([list, reply.status, reply.body.code]).toEqual([list, 422, 'SEARCH_TOO_WIDE'])
  }
})

test('only an image is accepted as an image', async () => {
  const { admin, gateway } = scene
  const option = { payOption: 'Bank Transfer', bank: 'Another Bank', accountNumber: '2' }
  const made = await expectOk(scene.call(admin, 'POST', '/paymentOptions', option))
  const path = `/paymentOptions/${getId(made, 'paymentOption')}`
  const assets = { asOf: '2026-01-05', assets: '5.00' }
  const tries = [
    ['POST', '/paymentOptions', 'image', option],
    ['PATCH', path, 'image', {}],
    ['POST', '/admin/attestations', 'document', assets],
  ] as const
  const image = '415 NOT_AN_IMAGE: The file must be a PNG or JPG image'
  const document = '415 NOT_A_DOCUMENT: The file must be a PNG or JPG image or a PDF document'
  for (const [method, to, field, fields] of tries) {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set(field, new Blob(['%PDF-1.7 this is none']), 'picture.png')
    const reply = await send(gateway, admin, { method, path: to, form })
    expect([to, formatReply(reply)]).toEqual([to, field === 'document' ? document : image])
  }
})

test('the number of questions is limited to the number that a page can show', async () => {
  const { admin, gateway, call } = scene
  const row = { answer: 'An answer', is_visible: true, updated_at: new Date() }
  const known = Array.from({ length: FAQS_MAX }, (_, position) => {
    return { id: createId(Date.now()), question: `Question ${position}`, position, ...row }
  })
  await gateway.db.insertInto('platform.faq').values(known).execute()
  const form = { question: 'One more?', answer: 'No' }
  expect(formatReply(await call(admin, 'POST', '/admin/faqs', form))).toBe(
    `422 TOO_MANY: There can be at most ${FAQS_MAX} questions`,
  )
})

test('a person has at most twenty bank accounts, and their codes are valid for a quarter of an hour', async () => {
  const { investor, gateway, call } = scene
  const bank = { accountType: 'Others', accountName: 'A', bankName: 'B', accountNumber: '1' }
  await setSettings(gateway, { security: { bankCoolingHours: 24 } })
  const addAccount = () => call(investor, 'POST', '/users/me/banks', bank)
  const id = getId(await expectOk(addAccount()), 'account')
  for (let added = 1; added < 20; added += 1) await expectOk(addAccount())
  expect(formatReply(await addAccount())).toBe(
    '422 TOO_MANY_ACCOUNTS: You have too many bank accounts',
  )
  await gateway.db
    .updateTable('platform.bank_code')
    .set({ expires_at: new Date(0) })
    .execute()
  const path = `/users/me/banks/${id}/confirm`
  expect(formatReply(await call(investor, 'POST', path, { code: '000000' }))).toBe(
    '400 CODE_EXPIRED: This code is no longer valid. Please ask for a new code.',
  )
})
