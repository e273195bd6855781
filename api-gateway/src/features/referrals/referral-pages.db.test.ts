import { createId } from '@cairn/ledger-contracts'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import type { Visitor } from '../../../testing/test-gateway.ts'
import { createUserRow } from '../../../testing/user-row.ts'
import { createKeyRing } from '../../platform/keys/key-ring.ts'
import { createReferralCursor } from './referral-cursor.ts'

/** The number of referred users. It is larger than every page size, and no page size divides it. */
const REFERRED = 1_203
const START_MS = 1_700_000_000_000

interface Page {
  referrals: { name: string; id?: string }[]
  meta: { total: number; next: string | null }
}

let scene: Scene
let ids: string[]
beforeAll(async () => {
  scene = await startScene()
  ids = Array.from({ length: REFERRED }, (_, place) => createId(START_MS + place))
  const rows = ids.map((id, place) => ({
    ...createUserRow({
      id,
      role: 'user',
      status: 'pending',
      passwordHash: 'none',
      now: new Date(START_MS + place),
    }),
    name: `Person${place}`,
    referrer_id: scene.stranger.userId,
  }))
  for (let start = 0; start < REFERRED; start += 401) {
    const part = rows.slice(start, start + 401)
    await scene.gateway.db.insertInto('identity.user').values(part).execute()
  }
  await scene.gateway.db
    .updateTable('identity.user')
    .set({ referrer_id: scene.stranger.userId })
    .where('id', '=', scene.investor.userId)
    .execute()
})
afterAll(() => scene?.gateway.stop())

const TOTAL = REFERRED + 1

async function readPages(visitor: Visitor, path: string): Promise<Page[]> {
  const pages: Page[] = []
  for (let next: string | null = ''; next !== null; next = pages.at(-1)?.meta.next ?? null) {
    const before = next === '' ? '' : `&before=${next}`
    pages.push(await expectOk<Page>(scene.call(visitor, 'GET', `${path}?limit=200${before}`)))
  }
  return pages
}

const listNamesNewestFirst = () => ids.map((_, place) => `Person${place}`).toReversed()

describe('more than a thousand referrals', () => {
  test('are counted by the database and paged without a gap for the referrer', async () => {
    const pages = await readPages(scene.stranger, '/users/me/referrals')
    expect(pages.map(({ meta }) => meta.total)).toEqual(pages.map(() => TOTAL))
    expect(pages).toHaveLength(7)
    const names = pages.flatMap(({ referrals }) => referrals.map(({ name }) => name))
    expect(names.slice(1)).toEqual(listNamesNewestFirst())
    expect(names).toHaveLength(TOTAL)
    const first = await expectOk<Page>(scene.call(scene.stranger, 'GET', '/users/me/referrals'))
    expect(first).toMatchObject({ meta: { total: TOTAL } })
    expect(first.referrals).toHaveLength(50)
  })

  test('are paged without a gap for an administrator', async () => {
    const pages = await readPages(scene.admin, `/admin/referrals/${scene.stranger.userId}`)
    expect(pages.map(({ meta }) => meta.total)).toEqual(pages.map(() => TOTAL))
    const found = pages.flatMap(({ referrals }) => referrals.map(({ id }) => id))
    expect(found).toEqual([scene.investor.userId, ...ids.toReversed()])
  })

  test('are all in the exported file', async () => {
    const response = await fetch(`${scene.gateway.url}/api/v1/users/me/referrals.csv`, {
      headers: { cookie: scene.stranger.cookie },
    })
    const rows: { Name: string }[] = parse(await response.text(), { bom: true, columns: true })
    expect(rows).toHaveLength(TOTAL)
    expect(rows.slice(1).map(({ Name }) => Name)).toEqual(listNamesNewestFirst())
  })

  test('end with the last full page: no empty page follows', async () => {
    const oldest = ids[200] ?? ''
    const { stranger, admin } = scene
    const path = `/admin/referrals/${stranger.userId}?limit=200&before=${oldest}`
    const page = await expectOk<Page>(scene.call(admin, 'GET', path))
    expect(page.referrals).toHaveLength(200)
    expect(page.meta.next).toBeNull()
  })
})

describe('the cursor of own referrals', () => {
  test('does not contain the id of a user', async () => {
    const { meta } = await expectOk<Page>(scene.call(scene.stranger, 'GET', '/users/me/referrals'))
    const bytes = Buffer.from(meta.next ?? '', 'base64url').toString('latin1')
    expect(bytes.length).toBeGreaterThan(40)
    expect(ids.filter((id) => bytes.includes(id) || meta.next?.includes(id))).toEqual([])
  })

  test('is refused if it is an id, changed or sealed with another key', async () => {
    const { meta } = await expectOk<Page>(scene.call(scene.stranger, 'GET', '/users/me/referrals'))
    const cursor = meta.next ?? ''
    const other = createReferralCursor(createKeyRing({ value: 'another secret of tests' }))
    const changed = `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`
    for (const before of [ids[0], changed, other.seal(ids[0] ?? ''), 'a', `${cursor}/`]) {
      const path = `/users/me/referrals?before=${encodeURIComponent(before ?? '')}`
      expect(await scene.call(scene.stranger, 'GET', path)).toMatchObject({
        status: 400,
        body: { code: 'INVALID', message: 'before must be the value of meta.next' },
      })
    }
  })

  test('of another referrer shows only own referrals', async () => {
    const { meta } = await expectOk<Page>(scene.call(scene.stranger, 'GET', '/users/me/referrals'))
    const path = `/users/me/referrals?before=${meta.next}`
    const page = await expectOk<Page>(scene.call(scene.investor, 'GET', path))
    expect(page).toMatchObject({ referrals: [], meta: { total: 0, next: null } })
  })
})
