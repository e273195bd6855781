import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Marks a browser in which this e-mail has logged in. It grants no access. */
export function createDeviceToken(secret: string, email: string): string {
  const id = randomBytes(16).toString('base64url')
  return `${id}.${sign(secret, email, id)}`
}

/** The id of the browser; null if it is not known for this e-mail. */
export function readDeviceId(secret: string, email: string, token: string | null): string | null {
  const [id = '', signature = ''] = (token ?? '').split('.')
  const expected = Buffer.from(sign(secret, email, id))
  const given = Buffer.from(signature)
  const isKnown = given.length === expected.length && timingSafeEqual(given, expected)
  return isKnown && id !== '' ? id : null
}

function sign(secret: string, email: string, id: string): string {
  return createHmac('sha256', secret)
    .update(`device!${email.length}!${email}!${id}`)
    .digest('base64url')
}
