import { BlockList } from 'node:net'
import { normaliseAddress } from '@cairn/gateway-contracts'

export interface AllowList {
  /**
   * Returns true if the list contains the address or is empty. An invalid address is in no list.
   */
  isAllowed(address: string): boolean
}

export function createAllowList(entries: readonly string[]): AllowList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = getAddressFamily(address)
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return {
    isAllowed: (given) => {
      if (entries.length === 0) return true
      const address = normaliseAddress(given)
      return address !== null && list.check(address, getAddressFamily(address))
    },
  }
}

function getAddressFamily(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4'
}
