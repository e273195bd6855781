import { randomBytes } from 'node:crypto'
import type { KeyRing } from '../../platform/keys/key-ring.ts'

/** Returns a token for a browser in which this email has logged in. The token grants no access. */
export function createDeviceToken(keys: KeyRing, email: string): string {
  const id = randomBytes(16).toString('base64url')
  return `${id}.${keys.sign(formatTextToSign(email, id)).toString('base64url')}`
}

/**
 * Returns the id of the browser; null if no login with this email has succeeded in the browser.
 */
export function readDeviceId(keys: KeyRing, email: string, token: string | null): string | null {
  const [id = '', signature = ''] = (token ?? '').split('.')
  if (id === '') return null
  return keys.verify(formatTextToSign(email, id), Buffer.from(signature, 'base64url')) ? id : null
}

function formatTextToSign(email: string, id: string): string {
  return `device!${email.length}!${email}!${id}`
}
