import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  addReader,
  announce,
  deliverAnnouncements,
  listReceivers,
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
import { openDatabase } from '../../platform/database/database.ts'

const DAY_MS = 86_400_000
const RISK = 'You can lose all the money you invest.'
const OFFER = { kind: 'promotional-offer', subject: 'A new plan', text: 'It opens.' } as const

let gateway: TestGateway
let admin: Visitor
beforeEach(async () => {
  await gateway?.stop()
  gateway = await startTestGateway()
  admin = await openVisit(gateway, await addUser(gateway, { role: 'admin', status: 'active' }))
})
afterAll(() => gateway?.stop())

const call = (method: string, path: string, body?: object) =>
  send(gateway, admin, { method, path: `/admin/announcements${path}`, ...(body && { body }) })

test('an announcement reaches only active people who have switched on its kind', async () => {
  const wants = await addReader(gateway, { promotionalOffers: true })
  await addReader(gateway, { marketUpdates: true })
  await addReader(gateway, {})
  await addReader(gateway, { promotionalOffers: true }, 'pending')
  const left = await addReader(gateway, { promotionalOffers: true })
  await saveWishes(gateway, left, { promotionalOffers: false })
  const closed = await addReader(gateway, { promotionalOffers: true })
  await setStatus(closed, 'deactivated')
  await saveWishes(gateway, admin, { promotionalOffers: true })

  const shown = await call('POST', '/preview', OFFER)
  expect(shown.body.data).toMatchObject({
    audience: { recipients: 1, nextAt: null },
    preview: { subject: 'A new plan', text: expect.stringContaining(RISK) },
  })
  const sending = await announce(gateway, admin, OFFER)
  expect(sending).toMatchObject({
    status: 201,
    body: { data: { announcement: { ...OFFER, recipients: 1, sentBy: { id: admin.userId } } } },
  })
  const mails = await deliverAnnouncements(gateway)
  expect(listReceivers(mails)).toEqual([wants.userId])
  const [mail] = mails
  expect(mail?.text).toMatch(/It opens\.\n\nYou can lose all the money you invest\.\n\nUnsubscribe/)
  expect(mail?.html).toContain(RISK)
  expect(mail?.headers).toEqual({
    'List-Unsubscribe': expect.stringMatching(
      /^<http:\/\/gateway\.test\/unsubscribe\?token=[\w-]+>$/,
    ),
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })

  const listed = await send(gateway, wants, { method: 'GET', path: '/users/me/notifications' })
  expect(listed.body.data?.notifications).toMatchObject([
    { kind: 'investment', title: 'A new plan', body: `It opens. ${RISK}` },
  ])
  const audit = await gateway.db.selectFrom('platform.audit').selectAll().execute()
  expect(audit).toContainEqual(
    expect.objectContaining({
      action: 'announcement.send',
      result: 'success',
      actor_id: admin.userId,
      details: expect.objectContaining({ recipients: 1, title: 'A new plan' }),
    }),
  )
  expect((await call('GET', '')).body.data).toMatchObject({
    announcements: [{ ...OFFER, recipients: 1 }],
  })
})

test('a person who switches it off before the mail is sent gets no mail', async () => {
  const reader = await addReader(gateway, { marketUpdates: true })
  const other = await addReader(gateway, { marketUpdates: true })
  const closed = await addReader(gateway, { marketUpdates: true })
  expect((await announce(gateway, admin)).status).toBe(201)
  const mails = await deliverAnnouncements(gateway, async () => {
    await saveWishes(gateway, reader, { marketUpdates: false })
    await setStatus(closed, 'deactivated')
  })
  expect(listReceivers(mails)).toEqual([other.userId])
  expect(mails[0]?.text).not.toContain(RISK)
})

describe('its sabotaged twin, in which the stored choice is always yes', () => {
  test('mails people who did not ask for it', async () => {
    await runAsSuperuser(
      sql`
        create function platform.ignore_choice() returns trigger language plpgsql as $$
        begin new.content = new.content || '{"marketUpdates": true}'; return new; end $$`,
      sql`create trigger ignore_choice before insert or update on platform.preference
        for each row execute function platform.ignore_choice()`,
    )
    const unwilling = await addReader(gateway, { marketUpdates: false })
    expect((await announce(gateway, admin)).status).toBe(201)
    expect(listReceivers(await deliverAnnouncements(gateway))).toEqual([unwilling.userId])
  })
})

test('each kind is sent once in 24 hours, and the refusal says when the next is possible', async () => {
  await addReader(gateway, { promotionalOffers: true, marketUpdates: true })
  const both = await Promise.all([announce(gateway, admin), announce(gateway, admin)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
  const nextAt = (await readAudience('market-update'))?.nextAt ?? ''
  expect(Date.parse(nextAt) - gateway.deps.clock.now()).toBeGreaterThan(DAY_MS / 2)
  const minute = nextAt.slice(0, 16).replace('T', ' ')
  expect(await announce(gateway, admin)).toMatchObject({
    status: 409,
    body: {
      code: 'ANNOUNCED_RECENTLY',
      message: `Each kind can be sent once in 24 hours. The next market update can be sent from ${minute} UTC.`,
    },
  })
  expect((await announce(gateway, admin, OFFER)).status).toBe(201)
  expect(await deliverAnnouncements(gateway)).toHaveLength(2)

  await gateway.moveAllClocks(DAY_MS)
  expect(await readAudience('market-update')).toMatchObject({ recipients: 1, nextAt: null })
  expect((await announce(gateway, admin)).status).toBe(201)
})

test('only the first page of the list counts the recipients', async () => {
  await addReader(gateway, { marketUpdates: true })
  await announce(gateway, admin)
  expect((await call('GET', '')).body.data).toMatchObject({ audiences: [{}, {}] })
  const later = await call('GET', '?before=zzzzzzzzzzzzzzzzzzzz')
  expect(later.body.data).toMatchObject({ announcements: [{}], audiences: [] })
})

test('a repeated request with its key is answered as before, and sends nothing', async () => {
  await addReader(gateway, { marketUpdates: true })
  const request = {
    method: 'POST',
    path: '/admin/announcements',
    body: { kind: 'market-update', subject: 'News', text: 'The market is open.' },
    headers: { 'idempotency-key': 'one-announcement' },
  }
  const first = await send(gateway, admin, request)
  expect(first.status).toBe(201)
  expect((await send(gateway, admin, request)).body).toEqual(first.body)
  expect(await deliverAnnouncements(gateway)).toHaveLength(1)
})

test('nothing is sent without recipients, with a foreign link or without a text', async () => {
  expect(await announce(gateway, admin)).toMatchObject({
    status: 409,
    body: { code: 'NO_RECIPIENTS' },
  })
  await addReader(gateway, { marketUpdates: true })
  for (const text of ['Read https://evil.test/x', 'Go to www.evil.test', 'evil.test/login']) {
    const refused = await announce(gateway, admin, { text })
    expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID' } })
    expect(refused.body.message).toMatch(/^Links may lead only to this site: .*evil\.test/)
  }
  expect((await announce(gateway, admin, { text: ' ' })).status).toBe(400)
  const own = await announce(gateway, admin, { text: 'See http://gateway.test/faqs for more.' })
  expect(own.status).toBe(201)
})

test('the text is not markup, and placeholders in it stay as they are', async () => {
  await addReader(gateway, { marketUpdates: true })
  const text = '<b>Hello</b> {{unsubscribePath}}\n\n# 9999\n\n- Label: value'
  expect((await announce(gateway, admin, { text, subject: 'Hi {{name}}' })).status).toBe(201)
  const [mail] = await deliverAnnouncements(gateway)
  expect(mail?.subject).toBe('Hi {{name}}')
  expect(mail?.text).toContain(text)
  expect(mail?.html).toContain('&lt;b&gt;Hello&lt;/b&gt; {{unsubscribePath}}')
})

test('closing an account removes its waiting mail', async () => {
  const reader = await addReader(gateway, { marketUpdates: true })
  const other = await addReader(gateway, { marketUpdates: true })
  expect((await announce(gateway, admin)).status).toBe(201)
  const path = `/users/${reader.userId}`
  expect((await send(gateway, admin, { method: 'DELETE', path })).status).toBeLessThan(300)
  const waiting = await gateway.db.selectFrom('platform.announcement_mail').selectAll().execute()
  expect(waiting.map(({ user_id }) => user_id)).toEqual([other.userId])
})

test('the statement for a large audience may take a minute', async () => {
  await addReader(gateway, { marketUpdates: true })
  await runAsSuperuser(
    sql`
      create function platform.require_time() returns trigger language plpgsql as $$
      begin
        if current_setting('statement_timeout')::interval < '1 minute' then
          raise exception 'the time limit is too short';
        end if;
        return new;
      end $$`,
    sql`create trigger require_time before insert on platform.announcement_mail
      for each row execute function platform.require_time()`,
  )
  expect((await announce(gateway, admin)).status).toBe(201)
})

async function runAsSuperuser(...statements: RawBuilder<unknown>[]): Promise<void> {
  const superuser = openDatabase({
    url: gateway.databaseUrl,
    applicationName: 'test',
    onError: () => {},
  })
  for (const statement of statements) await statement.execute(superuser)
  await superuser.destroy()
}

type Audience = { kind: string; recipients: number; nextAt: string | null }

async function readAudience(kind: string): Promise<Audience | undefined> {
  const { body } = await call('GET', '')
  // The cast is safe because the contract of this endpoint has this type.
  const { audiences } = body.data as unknown as { audiences: Audience[] }
  return audiences.find((audience) => audience.kind === kind)
}

async function setStatus({ userId }: Visitor, status: 'deactivated'): Promise<void> {
  await gateway.db.updateTable('identity.user').set({ status }).where('id', '=', userId).execute()
}
