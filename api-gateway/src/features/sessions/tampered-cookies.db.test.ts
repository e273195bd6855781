import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  enrolTotp,
  isSignedIn,
  logIn,
  logInNewBrowser,
  openBrowser,
  visit,
} from '../../../testing/test-browser.ts'
import { send, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { listen } from '../../platform/http/server.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())

/**
 * Returns wrong variants of the cookie. In each variant, one character, the length or the encoding
 * is changed.
 */
function createTamperedCookies(sid: string): readonly string[] {
  const flipped = [...sid].map((character, place) => {
    const wrong = character === 'A' ? 'B' : 'A'
    return `${sid.slice(0, place)}${wrong}${sid.slice(place + 1)}`
  })
  return [
    // Two bits of the last character have no meaning in base64, but the comparison includes them.
    ...flipped.map((token) => `sid=${token}`),
    ...[0, 1, 20, 42].map((length) => `sid=${sid.slice(0, length)}`),
    `sid=${sid}${sid}`,
    `sid=${sid} `.padEnd(5_000, 'x'),
    `sid="${sid}"`,
    `sid=${sid}%00`,
    `SID=${sid}`,
    `sid=x; sid=${sid}`,
    `sid=${sid}; sid=x`,
    `__Host-sid=${sid}`,
  ]
}

/** Returns the cookies that the gateway accepts. */
async function findAcceptedCookies(at: TestGateway, cookies: readonly string[]): Promise<string[]> {
  const opening: string[] = []
  for (const cookie of cookies) {
    const reply = await send(at, { cookie, csrfToken: '' }, { method: 'GET', path: '/users/me' })
    if (reply.status === 200) opening.push(cookie)
  }
  return opening
}

describe('T52 a cookie that was tampered with', () => {
  test('opens nothing: each byte flipped, cut, doubled, too long, swapped', async () => {
    const { email } = await visit(gateway, 'investor')
    const sid = (await logInNewBrowser(gateway, email)).cookies.get('sid') ?? ''
    const other = (await logInNewBrowser(gateway, (await visit(gateway, 'investor')).email)).cookies
    expect(await findAcceptedCookies(gateway, createTamperedCookies(sid))).toEqual([])
    const mixed = openBrowser(gateway, { cookie: `sid=${sid}` })
    mixed.cookies.set('XSRF-TOKEN', other.get('XSRF-TOKEN') ?? '')
    const swapped = await mixed.call('DELETE', '/users/me/sessions')
    expect(swapped).toMatchObject({ status: 403, failure: { code: 'CSRF' } })
    expect(await isSignedIn(openBrowser(gateway, { cookie: `sid=${sid}` }))).toBe(true)
  })

  test('of a login half-way or a known device opens nothing either', async () => {
    const { email } = await visit(gateway, 'investor')
    const browser = await logInNewBrowser(gateway, email)
    await enrolTotp(gateway, browser)
    const half = openBrowser(gateway)
    await logIn(half, email)
    const mfa = half.cookies.get('mfa') ?? ''
    expect(mfa).not.toBe('')
    for (const cookie of [`sid=${mfa}`, `sid=${browser.cookies.get('device')}`, `mfa=${mfa}`]) {
      expect(await isSignedIn(openBrowser(gateway, { cookie }))).toBe(false)
    }
  })
})

describe('T52 its sabotaged twin, which takes the first token it finds in the cookies', () => {
  let kind: TestGateway
  beforeAll(async () => {
    kind = await startTestGateway({
      listen: (listener, address) =>
        listen((request, response) => {
          const token = /[\w-]{43}/.exec(request.headers.cookie ?? '')?.[0]
          if (token !== undefined) request.headers.cookie = `sid=${token}`
          listener(request, response)
        }, address),
    })
  })
  afterAll(() => kind?.stop())

  test('is caught', async () => {
    const { email } = await visit(kind, 'investor')
    const sid = (await logInNewBrowser(kind, email)).cookies.get('sid') ?? ''
    const opening = await findAcceptedCookies(kind, createTamperedCookies(sid))
    expect(opening).toEqual(createTamperedCookies(sid).filter((cookie) => cookie.includes(sid)))
  })
})
