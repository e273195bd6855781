import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send, startTestGateway, type TestGateway, visitAs } from '../../../testing/test-gateway.ts'
import type { Route } from './registry.ts'

const KEY = 'a-key-of-something-else'
const AN_ID = '0123456789abcdefghjk'
/** Endpoints with uploads are omitted, because the tests of deposits cover them. */
const isKeyed = ({ endpoint }: Route) => endpoint.isIdempotent && endpoint.upload === null
const getRouteName = ({ endpoint }: Route) => `${endpoint.method} ${endpoint.path}`

interface Example {
  example?: unknown
}

async function readExamples(gateway: TestGateway): Promise<ReadonlyMap<string, unknown>> {
  const response = await fetch(`${gateway.url}/api/v1/openapi.json`)
  // The document has this type, as `openapi.db.test.ts` checks.
  const { paths } = (await response.json()) as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, Example> } }>>
  }
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { requestBody }]) => [
        `${method.toUpperCase()} ${path.replace('/api/v1', '').replaceAll(/\{(\w+)\}/g, ':$1')}`,
        requestBody?.content['application/json']?.example,
      ]),
    ),
  )
}

/**
 * Returns the endpoints that accept an idempotency key that the user has already used for a request
 * with different content.
 */
async function findWithoutConflict(
  gateway: TestGateway,
  keyed: readonly Route[],
): Promise<string[]> {
  const examples = await readExamples(gateway)
  const taking: string[] = []
  for (const found of keyed) {
    const { method, path, access } = found.endpoint
    const visitor = await visitAs(gateway, access === 'admin' ? 'admin' : 'investor')
    if (visitor === null) throw new Error('the visitor has no session')
    await gateway.db
      .insertInto('platform.keyed_request')
      .values({
        user_id: visitor.userId,
        key: KEY,
        request_hash: Buffer.alloc(32),
        subject_id: AN_ID,
        created_at: new Date(),
      })
      .execute()
    const reply = await send(gateway, visitor, {
      method,
      path: path.replaceAll(/:\w+/g, AN_ID),
      body: examples.get(getRouteName(found)) ?? {},
      headers: { 'idempotency-key': KEY },
    })
    const isRefused = reply.status === 422 && reply.body.code === 'KEY_REUSED'
    if (!isRefused) taking.push(getRouteName(found))
  }
  return taking
}

describe('a key that was used for other content', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway?.stop())

  test('is refused by every call that takes keys, before anything happens', async () => {
    const keyed = gateway.routes.filter(isKeyed)
    expect(keyed.length).toBeGreaterThan(5)
    expect(await findWithoutConflict(gateway, keyed)).toEqual([])
    expect(gateway.ledger.commands).toEqual([])
  })
})

describe('its sabotaged twin, which ignores keys', () => {
  const keyed: Route[] = []
  let gateway: TestGateway
  beforeAll(async () => {
    const ignoreKeys = (route: Route): Route => {
      if (isKeyed(route)) keyed.push(route)
      return { ...route, endpoint: { ...route.endpoint, isIdempotent: false } }
    }
    gateway = await startTestGateway({ alterRoute: ignoreKeys })
  })
  afterAll(() => gateway?.stop())

  test('is caught on all of them', async () => {
    expect(await findWithoutConflict(gateway, keyed)).toEqual(keyed.map(getRouteName))
  })
})
