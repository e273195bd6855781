import { isIP } from 'node:net'
import { HttpFailure } from '../../platform/http/failure.ts'

/** The relying party of WebAuthn: the host name of this site and the origin of its pages. */
export interface RelyingParty {
  id: string
  origin: string
}

/**
 * Returns the relying party for PUBLIC_URL. Throws 409 for an IP address, because browsers accept
 * only names.
 */
export function getRelyingParty(publicUrl: string): RelyingParty {
  const { hostname, origin } = new URL(publicUrl)
  // `hostname` has brackets around an IPv6 address.
  if (isIP(hostname.replace(/^\[|\]$/g, '')) === 0) return { id: hostname, origin }
  const message = 'Passkeys need a domain name, but the address of this site is an IP address'
  throw new HttpFailure(409, 'PASSKEYS_IMPOSSIBLE', message)
}
