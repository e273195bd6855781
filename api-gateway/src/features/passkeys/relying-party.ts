import { isIP } from 'node:net'
import { HttpFailure } from '../../platform/http/failure.ts'

/** Whom the passkeys of this site are for: its host, and the origin of its pages. */
export interface RelyingParty {
  id: string
  origin: string
}

/** From PUBLIC_URL. Browsers accept no IP address. */
export function getRelyingParty(publicUrl: string): RelyingParty {
  const { hostname, origin } = new URL(publicUrl)
  // The URL has brackets around an IPv6 address.
  if (isIP(hostname.replace(/^\[|\]$/g, '')) === 0) return { id: hostname, origin }
  const message = 'Passkeys need a name: the address of this site is an IP address'
  throw new HttpFailure(409, 'PASSKEYS_IMPOSSIBLE', message)
}
