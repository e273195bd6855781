import { normaliseAddress } from '@cairn/gateway-contracts'

/**
 * Returns the part of an address that identifies one customer: an IPv4 address, or the /64 of an
 * IPv6 address.
 */
export function getCustomer(ip: string): string {
  return truncateAddress(ip, { v4Parts: 4, v6Groups: 4 })
}

/** Returns the network of an address: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function getNetwork(ip: string): string {
  return truncateAddress(ip, { v4Parts: 3, v6Groups: 3 })
}

function truncateAddress(
  ip: string,
  { v4Parts, v6Groups }: { v4Parts: number; v6Groups: number },
): string {
  const address = normaliseAddress(ip) ?? ip
  if (!address.includes(':')) return address.split('.').slice(0, v4Parts).join('.')
  return `${expandGroups(address).slice(0, v6Groups).join(':')}::`
}

/**
 * Returns the eight groups of an IPv6 address without leading zeros, so that equal addresses have
 * equal groups.
 */
function expandGroups(address: string): readonly string[] {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
  return groups.map((group) => group.replace(/^0+(?=.)/, ''))
}
