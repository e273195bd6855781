import type { Failure } from '@cairn/gateway-contracts'
import { computeTotpAt, getTotpStep, TOTP_STEP_MS } from '../src/features/mfa/totp.ts'
import {
  PASSWORD,
  type Reply,
  send,
  type TestGateway,
  type Visitor,
  visitAs,
  type Who,
} from './test-gateway.ts'

type AnyGateway = TestGateway

/** Creates a user and opens a session. */
export async function visit(
  gateway: TestGateway,
  who: Exclude<Who, 'anonymous'>,
): Promise<Visitor & { email: string }> {
  const visitor = await visitAs(gateway, who)
  if (visitor === null) throw new Error(`${who} has a session`)
  return { ...visitor, email: `${visitor.userId}@example.com` }
}

/** A browser, which stores cookies and sends them back. */
export interface Browser {
  cookies: Map<string, string>
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply & { failure: Failure }>
}

export function openBrowser(gateway: AnyGateway, from?: Pick<Visitor, 'cookie'>): Browser {
  const cookies = new Map<string, string>()
  for (const pair of from?.cookie.split('; ') ?? []) storeCookie(cookies, pair)
  return {
    cookies,
    call: async (method, path, body, headers = {}) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const visitor = { cookie, csrfToken: cookies.get('XSRF-TOKEN') ?? '' }
      // The cast is safe because `send` uses only the URL.
      const reply = await send(gateway as TestGateway, visitor, {
        method,
        path,
        headers,
        ...(method === 'GET' ? {} : { body: body ?? {} }),
      })
      for (const line of reply.headers.getSetCookie()) storeCookie(cookies, line)
      return { ...reply, failure: reply.body as unknown as Failure }
    },
  }
}

function storeCookie(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ')
  const cut = pair.indexOf('=')
  const name = pair.slice(0, cut)
  if (attributes.includes('Max-Age=0')) cookies.delete(name)
  else cookies.set(name, pair.slice(cut + 1))
}

export function logIn(browser: Browser, email: string, password = PASSWORD) {
  return browser.call('POST', '/users/login', { email, password })
}

/** Logs the user in, in a new browser. */
export async function logInNewBrowser(gateway: AnyGateway, email: string): Promise<Browser> {
  const browser = openBrowser(gateway)
  const reply = await logIn(browser, email)
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
  return browser
}

export interface App {
  secret: Buffer
  /**
   * Returns the code of the authenticator app for the time step that is `stepsAway` steps from now.
   */
  getCode(stepsAway?: number): string
}

/** Enrols an authenticator app as the second factor of the user, whose password is `PASSWORD`. */
export async function enrolTotp(
  gateway: AnyGateway,
  browser: Browser,
): Promise<App & { recoveryCodes: readonly string[] }> {
  const setUp = await browser.call('POST', '/users/me/mfa/setup', { password: PASSWORD })
  const { secret } = setUp.body.data as unknown as { secret: string }
  const app = createApp(gateway, secret)
  skipEndingTotpStep(gateway)
  const on = await browser.call('POST', '/users/me/mfa/enable', { code: app.getCode(-1) })
  if (on.status !== 200) throw new Error(JSON.stringify(on.body))
  const { recoveryCodes } = on.body.data as unknown as { recoveryCodes: string[] }
  return { ...app, recoveryCodes }
}

export function createApp(gateway: AnyGateway, secret: string): App {
  const bytes = decodeBase32(secret)
  const getCurrentStep = () => getTotpStep(gateway.deps.clock.now())
  return {
    secret: bytes,
    getCode: (stepsAway = 0) => computeTotpAt(bytes, getCurrentStep() + stepsAway),
  }
}

/**
 * Moves the clock to the next time step if the current time step is about to end, so that a code
 * stays valid.
 */
export function skipEndingTotpStep(gateway: AnyGateway): void {
  const leftMs = TOTP_STEP_MS - (gateway.deps.clock.now() % TOTP_STEP_MS)
  if (leftMs < 5_000) gateway.moveClock(leftMs)
}

function decodeBase32(text: string): Buffer {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...text].map((letter) => digits.indexOf(letter).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

/** Returns the mails to this user in the outbox, newest first. */
export async function readMails(
  gateway: AnyGateway,
  userId: string,
): Promise<readonly { kind: string; content: Record<string, string> }[]> {
  const rows = await gateway.db
    .selectFrom('identity.outbox')
    .select(['kind', 'sealed'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ kind, sealed }) => ({
    kind,
    content: sealed === null ? {} : gateway.deps.seal.open(sealed),
  }))
}

/** Replaces the stored settings and clears the gateway's cache. */
export async function setSettings(
  gateway: AnyGateway,
  change: { general?: object; security?: object; payment?: object },
): Promise<void> {
  const now = new Date(gateway.deps.clock.now())
  const row = { content: JSON.stringify(change), updated_at: now, updated_by: null }
  await gateway.db
    .insertInto('platform.setting')
    .values({ id: 'site', version: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
  gateway.deps.settings.forget()
}

/** Returns true if the browser is signed in. */
export async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.call('GET', '/users/me')).status === 200
}
