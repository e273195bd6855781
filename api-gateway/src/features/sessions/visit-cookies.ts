import { PASSKEY_MINUTES } from '@cairn/gateway-contracts'
import type { Context } from 'koa'
import type { Dependencies } from '../../platform/dependencies.ts'
import { clearCookie, getCookieName, readCookie, setCookie } from '../../platform/http/cookies.ts'
import { createDeviceToken, readDeviceId } from './known-device.ts'
import { createToken, hashToken } from './sessions.ts'

const PENDING_SECONDS = 24 * 3_600
export const CHALLENGE_SECONDS = 600
const PASSKEY_SECONDS = PASSKEY_MINUTES * 60
const DEVICE_SECONDS = 180 * 24 * 3_600

/** The cookies of visitors who are not signed in: a pending registration and a known browser. */
export interface VisitCookies {
  /** SHA-256 of the cookie of a pending registration. */
  readPending(ctx: Context): Buffer | null
  givePending(ctx: Context): Buffer
  clearPending(ctx: Context): void
  readDevice(ctx: Context, email: string): string | null
  giveDevice(ctx: Context, email: string): void
  /** SHA-256 of the cookie of a login that waits for its second factor. */
  readChallenge(ctx: Context): Buffer | null
  giveChallenge(ctx: Context): Buffer
  clearChallenge(ctx: Context): void
  /** SHA-256 of the cookie of a login with a passkey. */
  readPasskey(ctx: Context): Buffer | null
  givePasskey(ctx: Context): Buffer
  clearPasskey(ctx: Context): void
}

export function createVisitCookies(
  deps: Pick<Dependencies, 'publicUrl' | 'sessionKeys'>,
): VisitCookies {
  const { publicUrl, sessionKeys } = deps
  const isSecure = publicUrl.startsWith('https:')
  const pendingName = getCookieName('pending', isSecure)
  const deviceName = getCookieName('device', isSecure)
  const challengeName = getCookieName('mfa', isSecure)
  const passkeyName = getCookieName('passkey', isSecure)
  const give = (ctx: Context, name: string, value: string, maxAgeSeconds: number) =>
    setCookie(ctx, name, value, { isSecure, isHttpOnly: true, maxAgeSeconds })

  const readHash = (ctx: Context, name: string) => {
    const token = readCookie(ctx.headers.cookie, name)
    return token === null ? null : hashToken(token)
  }
  const giveToken = (ctx: Context, name: string, maxAgeSeconds: number) => {
    const token = createToken()
    give(ctx, name, token, maxAgeSeconds)
    return hashToken(token)
  }

  return {
    readChallenge: (ctx) => readHash(ctx, challengeName),
    giveChallenge: (ctx) => giveToken(ctx, challengeName, CHALLENGE_SECONDS),
    clearChallenge: (ctx) => clearCookie(ctx, challengeName, isSecure),
    readPasskey: (ctx) => readHash(ctx, passkeyName),
    givePasskey: (ctx) => giveToken(ctx, passkeyName, PASSKEY_SECONDS),
    clearPasskey: (ctx) => clearCookie(ctx, passkeyName, isSecure),
    readPending: (ctx) => readHash(ctx, pendingName),
    givePending: (ctx) => giveToken(ctx, pendingName, PENDING_SECONDS),
    clearPending: (ctx) => clearCookie(ctx, pendingName, isSecure),
    readDevice: (ctx, email) =>
      readDeviceId(sessionKeys, email, readCookie(ctx.headers.cookie, deviceName)),
    giveDevice: (ctx, email) =>
      give(ctx, deviceName, createDeviceToken(sessionKeys, email), DEVICE_SECONDS),
  }
}
