import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../../src/platform/http/registry.ts'
import { type Scene, startScene } from '../scene.ts'

/** Texts that a statement built by concatenation would execute, and patterns that match everything. */
const TEXTS = [
  "' or '1'='1",
  "zz' or 1=1 --",
  "zz%' or 'a' like 'a",
  "zz'); drop table identity.user; --",
  "zz' union select password_hash from identity.user --",
  'zz\\',
  "zz\\' or 1=1 --",
  'zz" or "1"="1',
  '$1',
  'zz; select pg_sleep(9)',
  '%',
  '_',
  '%%__',
]

/** Every list and every export that has a search. */
function listSearches({ gateway }: Scene): readonly Route[] {
  return gateway.routes.filter(({ endpoint }) => {
    const { query } = endpoint.request.shape as { query?: { shape?: Record<string, unknown> } }
    return endpoint.method === 'GET' && query?.shape?.q !== undefined
  })
}

async function search(scene: Scene, path: string, text: string | null) {
  const suffix = text === null ? '' : `?q=${encodeURIComponent(text)}`
  const url = `${scene.gateway.url}/api/v1${path.replace(/:\w+/, scene.investor.userId)}${suffix}`
  const response = await fetch(url, { headers: { cookie: scene.admin.cookie } })
  return { status: response.status, body: await response.text() }
}

/**
 * Returns the searches that failed, or that found the investor although none of the investor's
 * texts matches.
 */
async function findInjectedText(scene: Scene): Promise<readonly string[]> {
  const { userId } = scene.investor
  const injected: string[] = []
  for (const { endpoint } of listSearches(scene)) {
    for (const text of TEXTS) {
      const { status, body } = await search(scene, endpoint.path, text)
      if (status >= 500) injected.push(`${endpoint.path} ${text}: ${status}`)
      // The path of a list of one person contains the id, so the answer may contain the id too.
      else if (!endpoint.path.includes(':') && body.includes(userId)) {
        injected.push(`${endpoint.path} ${text}`)
      }
    }
  }
  return injected
}

describe('T47 texts that are SQL', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await startScene()
  })
  afterAll(() => scene?.gateway.stop())

  test('are only text to every search', async () => {
    const searches = listSearches(scene).map(({ endpoint }) => endpoint.path)
    expect(searches.length).toBeGreaterThanOrEqual(6)
    const found = await Promise.all(
      searches.map(async (path) => (await search(scene, path, null)).body),
    )
    // Without a search, these lists contain the investor. The test can therefore detect a leak.
    expect(found.filter((body) => body.includes(scene.investor.userId)).length).toBeGreaterThan(3)
    expect(await findInjectedText(scene)).toEqual([])
    const { userId } = scene.investor
    expect((await search(scene, '/users', userId)).body).toContain(userId)
  })
})

describe('T47 their sabotaged twin, whose list of users is built by concatenation', () => {
  let scene: Scene
  beforeAll(async () => {
    const insertUnescapedSearch = (route: Route): Route =>
      route.endpoint.path === '/users' && route.endpoint.method === 'GET'
        ? {
            ...route,
            handle: async (request, exchange) => {
              // The cast is safe because the schema of this endpoint has parsed the request.
              const { query } = request as { query: { q?: string } }
              const text = `select id from identity.user where name = '${query.q ?? ''}'`
              const { rows } = await sql.raw(text).execute(scene.gateway.db)
              const found = rows.length === 0 ? query : { ...query, q: undefined }
              return route.handle({ query: found }, exchange)
            },
          }
        : route
    scene = await startScene({}, { alterRoute: insertUnescapedSearch })
  })
  afterAll(() => scene?.gateway.stop())

  test('is caught', async () => {
    const injected = await findInjectedText(scene)
    expect(injected).toContain("/users ' or '1'='1")
    expect(injected).toContain("/users zz'); drop table identity.user; --: 500")
  })
})
