import { createHmac, randomBytes } from 'node:crypto'

const SECRET_BYTES = 20
export const TOTP_STEP_MS = 30_000
const DIGITS = 6
/** Accepted clock difference, in time steps. */
const STEPS_APART = 1
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function createTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/**
 * Computes the code of a time step (RFC 6238) with the parameters that all apps support: SHA-1, 30
 * seconds, 6 digits.
 */
export function computeTotpAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

export function getTotpStep(nowMs: number): number {
  return Math.floor(nowMs / TOTP_STEP_MS)
}

/**
 * Returns the time step of the code; null if the code is wrong or its step is not after `lastStep`.
 */
export function findTotpStep(
  secret: Buffer,
  { code, lastStep, nowMs }: { code: string; lastStep: number; nowMs: number },
): number | null {
  const now = getTotpStep(nowMs)
  let found: number | null = null
  // The loop does not stop at a match, so that its duration does not reveal which step matched.
  for (let step = now - STEPS_APART; step <= now + STEPS_APART; step += 1) {
    if (computeTotpAt(secret, step) === code && step > lastStep) found = step
  }
  return found
}

export function toBase32(bytes: Buffer): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** Returns the URI for the QR code of an authenticator app. */
export function toOtpAuthUri(secret: Buffer, { site, email }: { site: string; email: string }) {
  const label = `${encodeURIComponent(site)}:${encodeURIComponent(email)}`
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${encodeURIComponent(site)}`
}
