import { z } from 'zod'

const V4_PART = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const V4 = new RegExp(`^${V4_PART}(?:\\.${V4_PART}){3}$`)
const HEX_GROUP = /^[0-9a-f]{1,4}$/
const V4_MAPPED = /^(?:0{0,4}:){0,5}:?ffff:(\d+\.\d+\.\d+\.\d+)$/

/**
 * Normalises an IP address for comparison. Converts letters to lower case, and an IPv4-mapped IPv6
 * address to IPv4. Returns null if the address is invalid.
 */
export function normaliseAddress(text: string): string | null {
  const lower = text.trim().toLowerCase()
  if (V4.test(lower)) return lower
  const mapped = V4_MAPPED.exec(lower)?.[1]
  if (mapped !== undefined) return V4.test(mapped) ? mapped : null
  return isIpv6(lower) ? lower : null
}

function isIpv6(text: string): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  if (!groups.every((group) => HEX_GROUP.test(group))) return false
  return halves.length === 2 ? groups.length <= 7 : groups.length === 8
}

/** An IP address, or a range in the form `address/bits`. The parsed value is normalised. */
export const AllowListEntry = z
  .string('must be an address')
  .trim()
  .max(60, 'Enter an IP address or a range like 10.0.0.0/8')
  .transform((text, context): string => {
    const [address = '', bits, ...rest] = text.split('/')
    const known = normaliseAddress(address)
    const bitsMax = known === null || known.includes(':') ? 128 : 32
    const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax)
    if (known !== null && isRange && rest.length === 0) {
      return bits === undefined ? known : `${known}/${Number(bits)}`
    }
    context.addIssue('Enter an IP address or a range like 10.0.0.0/8')
    return z.NEVER
  })
