import { isIP } from 'node:net'
import { isLoopback } from '@cairn/service-kit/loopback'

/**
 * Returns true if another instance of this service can have the address. The address comes from the
 * database, and a call to it carries a credential that may submit every command, so a superuser of
 * the database must not be able to name a machine elsewhere. On this machine, every port is allowed.
 * Elsewhere, the address must be https, and its host may differ from the host of this instance only
 * in the first label, or in the last part of an IP address.
 */
export function isPeerAddress(own: string, other: string): boolean {
  const [here, there] = [URL.parse(own), URL.parse(other)]
  if (here === null || there === null || there.origin === 'null') return false
  if (isLoopback(here.hostname) || isLoopback(there.hostname)) {
    return isLoopback(here.hostname) && isLoopback(there.hostname)
  }
  if (there.protocol !== 'https:') return false
  const network = getNetwork(here.hostname)
  if (getNetwork(there.hostname) !== network) return false
  return !TOP_LEVEL_DOMAIN.test(network) || there.hostname === here.hostname
}

/** Anyone can have a host directly below such a domain, with a certificate. */
const TOP_LEVEL_DOMAIN = /^\.([a-z]+|xn--[a-z0-9-]+)$/

/** Returns the domain of a host without its first label, or an IP address without its last part. */
function getNetwork(host: string): string {
  const plain = host.replace(/^\[|\]$/g, '')
  return isIP(plain) === 0 ? plain.replace(/^[^.]*/, '') : plain.replace(/[^.:]*$/, '')
}
