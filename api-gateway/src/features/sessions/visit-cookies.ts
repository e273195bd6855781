import { PASSKEY_MINUTES } from '@cairn/gateway-contracts'
import type { Context } from 'koa'
import type { Dependencies } from '../../platform/dependencies.ts'
import {
  clearCookie,
  formatCookieName,
  readCookie,
  setCookie,
} from '../../platform/http/cookies.ts'
import { createDeviceToken, readDeviceId } from './known-device.ts'
import { createToken, hashToken } from './sessions.ts'

const PENDING_SECONDS = 24 * 3_600
export const CHALLENGE_SECONDS = 600
const PASSKEY_SECONDS = PASSKEY_MINUTES * 60
const DEVICE_SECONDS = 180 * 24 * 3_600

/**
 * Reads and sets the cookies of visitors who are not signed in. A `read` function returns null if
 * the cookie is missing.
 */
export interface VisitCookies {
  /** Returns the SHA-256 of the cookie of an unverified registration. */
  readPendingCookie(ctx: Context): Buffer | null
  issuePendingCookie(ctx: Context): Buffer
  clearPendingCookie(ctx: Context): void
  readDeviceCookie(ctx: Context, email: string): string | null
  issueDeviceCookie(ctx: Context, email: string): void
  /** Returns the SHA-256 of the cookie of a login that waits for its second factor. */
  readChallengeCookie(ctx: Context): Buffer | null
  issueChallengeCookie(ctx: Context): Buffer
  clearChallengeCookie(ctx: Context): void
  /** Returns the SHA-256 of the cookie of a login with a passkey. */
  readPasskeyCookie(ctx: Context): Buffer | null
  issuePasskeyCookie(ctx: Context): Buffer
  clearPasskeyCookie(ctx: Context): void
}

export function createVisitCookies(
  deps: Pick<Dependencies, 'publicUrl' | 'sessionKeys'>,
): VisitCookies {
  const { publicUrl, sessionKeys } = deps
  const isSecure = publicUrl.startsWith('https:')
  const pendingName = formatCookieName('pending', isSecure)
  const deviceName = formatCookieName('device', isSecure)
  const challengeName = formatCookieName('mfa', isSecure)
  const passkeyName = formatCookieName('passkey', isSecure)
  const setVisitCookie = (ctx: Context, name: string, value: string, maxAgeSeconds: number) =>
    setCookie(ctx, name, value, { isSecure, isHttpOnly: true, maxAgeSeconds })

  const readHash = (ctx: Context, name: string) => {
    const token = readCookie(ctx.headers.cookie, name)
    return token === null ? null : hashToken(token)
  }
  const setTokenCookie = (ctx: Context, name: string, maxAgeSeconds: number) => {
    const token = createToken()
    setVisitCookie(ctx, name, token, maxAgeSeconds)
    return hashToken(token)
  }

  return {
    readChallengeCookie: (ctx) => readHash(ctx, challengeName),
    issueChallengeCookie: (ctx) => setTokenCookie(ctx, challengeName, CHALLENGE_SECONDS),
    clearChallengeCookie: (ctx) => clearCookie(ctx, challengeName, isSecure),
    readPasskeyCookie: (ctx) => readHash(ctx, passkeyName),
    issuePasskeyCookie: (ctx) => setTokenCookie(ctx, passkeyName, PASSKEY_SECONDS),
    clearPasskeyCookie: (ctx) => clearCookie(ctx, passkeyName, isSecure),
    readPendingCookie: (ctx) => readHash(ctx, pendingName),
    issuePendingCookie: (ctx) => setTokenCookie(ctx, pendingName, PENDING_SECONDS),
    clearPendingCookie: (ctx) => clearCookie(ctx, pendingName, isSecure),
    readDeviceCookie: (ctx, email) =>
      readDeviceId(sessionKeys, email, readCookie(ctx.headers.cookie, deviceName)),
    issueDeviceCookie: (ctx, email) =>
      setVisitCookie(ctx, deviceName, createDeviceToken(sessionKeys, email), DEVICE_SECONDS),
  }
}
