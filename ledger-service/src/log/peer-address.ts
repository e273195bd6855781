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
  if (isLoopback(there.hostname)) return isLoopback(here.hostname)
  return there.protocol === 'https:' && getNetwork(there.hostname) === getNetwork(here.hostname)
}

/** Returns the domain of a host without its first label, or an IP address without its last part. */
function getNetwork(host: string): string {
  const plain = host.replace(/^\[|\]$/g, '')
  return isIP(plain) === 0 ? plain.replace(/^[^.]*/, '') : plain.replace(/[^.:]*$/, '')
}
