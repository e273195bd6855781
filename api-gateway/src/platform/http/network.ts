import { normaliseAddress } from '@cairn/gateway-contracts'

/** The customer behind an address: of IPv6 the /64, because one customer has all its addresses. */
export function customerOf(ip: string): string {
  return cut(ip, { v4Parts: 4, v6Groups: 4 })
}

/** The network around a customer: of IPv4 the /24, of IPv6 the /48. */
export function networkOf(ip: string): string {
  return cut(ip, { v4Parts: 3, v6Groups: 3 })
}

function cut(ip: string, { v4Parts, v6Groups }: { v4Parts: number; v6Groups: number }): string {
  const address = normaliseAddress(ip) ?? ip
  if (!address.includes(':')) return address.split('.').slice(0, v4Parts).join('.')
  return `${expand(address).slice(0, v6Groups).join(':')}::`
}

/** The eight groups without leading zeros, so that each address has one form. */
function expand(address: string): readonly string[] {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
  return groups.map((group) => group.replace(/^0+(?=.)/, ''))
}
