import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  addReader,
  announce,
  deliverAnnouncements,
  saveWishes,
} from '../../../testing/announcements.ts'
import {
  addUser,
  openVisit,
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
} from '../../../testing/test-gateway.ts'
import { createKeyRing } from '../../platform/keys/key-ring.ts'
import { createOutboxSeal } from '../../platform/keys/seal.ts'
import { createUnsubscribePath } from '../../platform/mail/unsubscribe-token.ts'

const ON = { promotionalOffers: true, marketUpdates: true }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const ONE_CLICK = 'List-Unsubscribe=One-Click'

let gateway: TestGateway
let reader: Visitor
/** The path of the link in the mail that the reader got. */
let path: string
beforeAll(async () => {
  gateway = await startTestGateway()
  const admin = await openVisit(
    gateway,
    await addUser(gateway, { role: 'admin', status: 'active' }),
  )
  reader = await addReader(gateway, ON)
  await announce(gateway, admin)
  const [mail] = await deliverAnnouncements(gateway)
  const url = /^<(.+)>$/.exec(mail?.headers['List-Unsubscribe'] ?? '')?.[1] ?? ''
  expect(mail?.text).toContain(`Unsubscribe from market updates: ${url}`)
  path = url.replace('http://gateway.test', '')
})
beforeEach(() => saveWishes(gateway, reader, ON))
afterAll(() => gateway?.stop())

async function readWishes(visitor = reader): Promise<unknown> {
  const { body } = await send(gateway, visitor, { method: 'GET', path: '/users/me/preferences' })
  return body.data?.preferences
}

/** Sends the request as a mail program does: without a cookie, an origin and a header of the pages. */
const post = (to: string, body: string | FormData = ONE_CLICK, headers: HeadersInit = FORM) =>
  fetch(`${gateway.url}${to}`, { method: 'POST', body, headers })

test('reading the page changes nothing, because scanners read it', async () => {
  for (const method of ['GET', 'HEAD']) {
    const page = await fetch(`${gateway.url}${path}`, { method })
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toContain('text/html')
    if (method === 'GET') expect(await page.text()).toContain('Stop receiving market updates?')
  }
  const call = await fetch(`${gateway.url}${path.replace('/', '/api/v1/public/')}`)
  expect(call.status).toBe(404)
  expect(await readWishes()).toMatchObject(ON)
})

test('the POST of RFC 8058 switches off this kind, and only this kind', async () => {
  await saveWishes(gateway, reader, ON)
  const page = await post(path)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('You no longer receive market updates.')
  const expected = { promotionalOffers: true, marketUpdates: false, transactionAlerts: true }
  expect(await readWishes()).toMatchObject(expected)
  // A repetition succeeds, also in the other encoding that the RFC allows.
  const form = new FormData()
  form.set('List-Unsubscribe', 'One-Click')
  expect((await post(path, form, {})).status).toBe(200)
  expect(await readWishes()).toMatchObject(expected)
  const audit = await gateway.db
    .selectFrom('platform.audit')
    .select(['actor_id', 'result'])
    .where('action', '=', 'preferences.unsubscribe')
    .execute()
  expect(audit).toContainEqual({ actor_id: reader.userId, result: 'success' })
})

test('the call of the API answers with the kind, also for a person with another session', async () => {
  const other = await addReader(gateway, ON)
  const reply = await send(gateway, other, {
    method: 'POST',
    path: path.replace('/', '/public/'),
    body: {},
  })
  expect(reply).toMatchObject({ status: 200, body: { data: { kind: 'market-update' } } })
  expect(await readWishes()).toMatchObject({ marketUpdates: false })
  expect(await readWishes(other)).toMatchObject(ON)
})

describe('a forged link is refused and changes nothing', () => {
  const flip = (text: string, place: number) => {
    const other = text[place] === 'A' ? 'B' : 'A'
    return text.slice(0, place) + other + text.slice(place + 1)
  }
  const createForeignPath = (content: Record<string, string>, secret: string) => {
    const sealed = createOutboxSeal(createKeyRing({ value: secret })).seal(content)
    return `/unsubscribe?token=${sealed.toString('base64url')}`
  }

  test('changed, of another secret, of another purpose, or without a token', async () => {
    const content = { purpose: 'unsubscribe', userId: reader.userId, kind: 'market-update' }
    const { purpose: _purpose, ...rest } = content
    const ownSeal = gateway.deps.seal.seal(rest).toString('base64url')
    const forged = [
      flip(path, path.length - 8),
      flip(path, path.length - 60),
      createForeignPath(content, 'another secret for tests'),
      `/unsubscribe?token=${ownSeal}`,
      `/unsubscribe?token=${reader.userId}`,
      '/unsubscribe?token=',
      '/unsubscribe',
      `${path}&token=x`,
    ]
    for (const link of forged) {
      const page = await post(link)
      expect([link, page.status]).toEqual([link, 400])
      expect(await page.text()).toContain('This link is not valid')
    }
    const called = await send(gateway, null, {
      method: 'POST',
      path: '/public/unsubscribe?token=x',
      body: {},
    })
    expect(called).toMatchObject({ status: 400, body: { code: 'UNSUBSCRIBE_LINK_INVALID' } })
    expect(await readWishes()).toMatchObject(ON)
  })

  test('sabotaged twin: with the key of the gateway, the same content is accepted', async () => {
    const subscription = { userId: reader.userId, kind: 'market-update' } as const
    expect((await post(createUnsubscribePath(gateway.deps.seal, subscription))).status).toBe(200)
    expect(await readWishes()).toMatchObject({ marketUpdates: false })
  })
})

test('a link of a deleted person stores nothing', async () => {
  const gone = createUnsubscribePath(gateway.deps.seal, {
    userId: '0123456789abcdefghjk',
    kind: 'market-update',
  })
  expect((await post(gone)).status).toBe(200)
  const row = await gateway.db
    .selectFrom('platform.preference')
    .select('user_id')
    .where('user_id', '=', '0123456789abcdefghjk')
    .executeTakeFirst()
  expect(row).toBeUndefined()
})
