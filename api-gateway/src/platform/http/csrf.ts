import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { KeyRing } from '../keys/key-ring.ts'
import { HttpFailure } from './failure.ts'

export const XSRF_COOKIE = 'XSRF-TOKEN'
const ANONYMOUS = 'anonymous'

/**
 * Creates an anti-forgery token. The token is signed and bound to the session, so that another
 * subdomain cannot set a valid token.
 */
export function createCsrfToken(keys: KeyRing, sessionHash: string | null): string {
  const random = randomBytes(16).toString('base64url')
  return `${random}.${keys.sign(formatTextToSign(sessionHash, random)).toString('base64url')}`
}

export function isCsrfToken(
  keys: KeyRing,
  sessionHash: string | null,
  token: string | null,
): boolean {
  const [random = '', signature = ''] = (token ?? '').split('.')
  if (random === '') return false
  return keys.verify(formatTextToSign(sessionHash, random), Buffer.from(signature, 'base64url'))
}

/** Throws if a header shows that a page of another site sent this request. */
export function requireSameSite(
  headers: IncomingHttpHeaders,
  options: { publicOrigin: string },
): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw createCrossSiteFailure()
  const { origin } = headers
  if (origin === undefined) return
  if (origin !== options.publicOrigin && parseHost(origin) !== headers.host)
    throw createCrossSiteFailure()
}

export function requireXhr(headers: IncomingHttpHeaders): void {
  if (headers['x-requested-with'] === 'XMLHttpRequest') return
  throw new HttpFailure(403, 'CSRF', 'Send the header X-Requested-With: XMLHttpRequest')
}

export function requireCsrfToken(options: {
  keys: KeyRing
  sessionHash: string
  cookie: string | null
  header: string | string[] | undefined
}): void {
  const { keys, sessionHash, cookie, header } = options
  const isRight =
    typeof header === 'string' &&
    cookie !== null &&
    isSame(header, cookie) &&
    isCsrfToken(keys, sessionHash, header)
  if (isRight) return
  throw new HttpFailure(403, 'CSRF', 'The page has expired. Please reload it and try again.')
}

function createCrossSiteFailure(): HttpFailure {
  return new HttpFailure(403, 'CROSS_SITE', 'Requests from other sites are not accepted')
}

function formatTextToSign(sessionHash: string | null, random: string): string {
  const session = sessionHash ?? ANONYMOUS
  return `csrf!${session.length}!${session}!${random.length}!${random}`
}

function isSame(left: string, right: string): boolean {
  const a = Buffer.from(left)
  const b = Buffer.from(right)
  return a.length === b.length && timingSafeEqual(a, b)
}

function parseHost(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null
}
