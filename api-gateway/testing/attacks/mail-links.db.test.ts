import { PATIENCE_MS } from '@cairn/local/time-limit'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Dependencies } from '../../src/platform/dependencies.ts'
import type { Route } from '../../src/platform/http/registry.ts'
import type { Seal } from '../../src/platform/keys/seal.ts'
import { addUser, send, startTestGateway, type TestGateway } from '../test-gateway.ts'

/** Requests a password link with a false Host header. Returns the path in the mail. */
async function requestLinkWithOtherHost(gateway: TestGateway, userId: string): Promise<string> {
  await send(gateway, null, {
    method: 'POST',
    path: '/users/forgot_password',
    body: { email: `${userId}@example.com` },
    headers: { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
  })
  // The gateway queues the mail after the response, so the test waits for it.
  const sealed = await vi.waitFor(async () => {
    const row = await gateway.db
      .selectFrom('identity.outbox')
      .select('sealed')
      .where('user_id', '=', userId)
      .where('kind', '=', 'password-reset')
      .executeTakeFirstOrThrow()
    return row.sealed ?? Buffer.alloc(0)
  }, PATIENCE_MS)
  return gateway.deps.seal.open(sealed).path ?? ''
}

/** Matches a path without a host. The configured URL precedes this path in the mail. */
const A_PATH = /^\/users\/resetPassword#token=[\w-]+$/

describe('T54 links in mails', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway?.stop())

  test('lead to the site as it is configured, whatever host was asked', async () => {
    const userId = await addUser(gateway, { role: 'user', status: 'active' })
    const link = await requestLinkWithOtherHost(gateway, userId)
    expect(link).toMatch(A_PATH)
  })
})

describe('T54 their sabotaged twin, which links to the host that was asked', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    let host = ''
    const recordHost = (route: Route): Route => ({
      ...route,
      handle: (request, exchange) => {
        host = exchange.ctx.get('x-forwarded-host')
        return route.handle(request, exchange)
      },
    })
    const trustHost = (deps: Dependencies): Dependencies => {
      const seal: Seal['seal'] = ({ path, ...content }) =>
        deps.seal.seal({ ...content, path: `http://${host}${path}` })
      return { ...deps, seal: { ...deps.seal, seal } }
    }
    gateway = await startTestGateway({ alterRoute: recordHost, alterDeps: trustHost })
  })
  afterAll(() => gateway?.stop())

  test('is caught', async () => {
    const userId = await addUser(gateway, { role: 'user', status: 'active' })
    const link = await requestLinkWithOtherHost(gateway, userId)
    expect(link).not.toMatch(A_PATH)
    expect(link).toContain('//evil.example/')
  })
})
