import { createId } from '@cairn/ledger-contracts'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { createUserRow } from '../../../testing/user-row.ts'
import { listReferrerRows } from './referrers.ts'

const REFERRERS = 60
const START_MS = 1_700_000_000_000

interface Page {
  referrers: { id: string; referred: number }[]
  meta: { page: number; pages: number; total: number; next: string | null }
}

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
  const create = (referrer_id: string | null, place: number) => ({
    ...createUserRow({
      id: createId(START_MS + place),
      role: 'user',
      status: 'pending',
      passwordHash: 'none',
      now: new Date(START_MS + place),
    }),
    referrer_id,
  })
  const referrers = Array.from({ length: REFERRERS }, (_, place) => create(null, place))
  // Many referrers have the same number of referrals.
  const referred = referrers.flatMap(({ id }, place) =>
    Array.from({ length: (place % 3) + 1 }, () => create(id, REFERRERS + place)),
  )
  await scene.gateway.db
    .insertInto('identity.user')
    .values([...referrers, ...referred])
    .execute()
})
afterAll(() => scene?.gateway.stop())

const list = (query: string) =>
  expectOk<Page>(scene.call(scene.admin, 'GET', `/admin/referrals?${query}`))
const readAll = async () => (await list('limit=100')).referrers.map(({ id }) => id)

test('the referrers with the most referrals come first', async () => {
  const { referrers, meta } = await list('limit=100')
  expect(referrers).toHaveLength(REFERRERS)
  expect(meta).toMatchObject({ total: REFERRERS, pages: 1, next: null })
  const places = referrers.map(({ referred, id }) => [-referred, id] as const)
  expect(places).toEqual(
    places.toSorted(
      ([left, leftId], [right, rightId]) => left - right || (leftId < rightId ? -1 : 1),
    ),
  )
  expect(new Set(referrers.map(({ referred }) => referred))).toEqual(new Set([3, 2, 1]))
})

test('pages after a referrer, and pages before one, equal the whole list', async () => {
  const whole = await readAll()
  const forwards: string[] = []
  for (let next: string | null = ''; next !== null; ) {
    const after: string = next === '' ? '' : `&after=${next}`
    const page: Page = await list(`limit=7${after}`)
    forwards.push(...page.referrers.map(({ id }) => id))
    next = page.meta.next
  }
  expect(forwards).toEqual(whole)
  const backwards = whole.slice(-1)
  for (;;) {
    const { referrers } = await list(`limit=7&before=${backwards[0]}`)
    if (referrers.length === 0) break
    backwards.unshift(...referrers.map(({ id }) => id))
  }
  expect(backwards).toEqual(whole)
})

test('pages by number equal the whole list', async () => {
  const pages = await Promise.all([1, 2, 3].map((page) => list(`limit=25&page=${page}`)))
  expect(pages.map(({ meta }) => meta.pages)).toEqual([3, 3, 3])
  expect(pages.flatMap(({ referrers }) => referrers.map(({ id }) => id))).toEqual(await readAll())
})

test('the exported file has all referrers in this order', async () => {
  const response = await fetch(`${scene.gateway.url}/api/v1/admin/referrals.csv`, {
    headers: { cookie: scene.admin.cookie },
  })
  const rows: { Name: string }[] = parse(await response.text(), { bom: true, columns: true })
  expect(rows.map(({ Name }) => Name)).toEqual((await readAll()).map((id) => `Person ${id}`))
})

test('an export continues after a referrer who has lost all referrals', async () => {
  const { db } = scene.gateway
  const rows = await listReferrerRows(db, { page: 1, limit: 12 })
  const last = rows[4]
  if (last === undefined) throw new Error('there are twelve referrers')
  await db
    .updateTable('identity.user')
    .set({ referrer_id: null })
    .where('referrer_id', '=', last.id)
    .execute()
  const place = { page: 1, limit: 7 }
  expect(await listReferrerRows(db, { ...place, after: last })).toEqual(rows.slice(5))
  // Its sabotaged twin: without the number of referrals, the place of the row is unknown.
  expect(await listReferrerRows(db, { ...place, after: last.id })).toEqual([])
})
