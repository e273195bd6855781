import { AnnouncementKind } from '@cairn/gateway-contracts'
import { z } from 'zod'
import type { Seal } from '../keys/seal.ts'

/** The page that switches off a mail. Mail programs send the POST of RFC 8058 to the same path. */
export const UNSUBSCRIBE_PATH = '/unsubscribe'
const PURPOSE = 'unsubscribe'

const Content = z.strictObject({
  /** Distinguishes a token from the other contents that the seal opens. */
  purpose: z.literal(PURPOSE),
  userId: z.string(),
  kind: AnnouncementKind,
})

/** The person and the kind of mail that a link switches off. */
export interface Subscription {
  userId: string
  kind: AnnouncementKind
}

/** Returns the path of the link in a mail. Its token is encrypted, so it does not name the person. */
export function createUnsubscribePath(seal: Seal, { userId, kind }: Subscription): string {
  const token = seal.seal({ purpose: PURPOSE, userId, kind }).toString('base64url')
  return `${UNSUBSCRIBE_PATH}?token=${token}`
}

/** Returns null if the gateway has not made the token, or if its key is no longer known. */
export function readUnsubscribeToken(seal: Seal, token: string): Subscription | null {
  try {
    const { userId, kind } = Content.parse(seal.open(Buffer.from(token, 'base64url')))
    return { userId, kind }
  } catch {
    return null
  }
}
