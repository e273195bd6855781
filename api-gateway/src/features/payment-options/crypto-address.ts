import { sha256 } from '@noble/hashes/sha2'
import { keccak_256 } from '@noble/hashes/sha3'
import { bech32, bech32m, createBase58check } from '@scure/base'

const base58check = createBase58check(sha256)

export type Network = 'bitcoin' | 'ethereum' | 'tron'

/**
 * Names of networks are tested before names of coins, because a coin such as USDT exists on several
 * networks.
 */
const NETWORKS: readonly (readonly [RegExp, Network])[] = [
  [/\b(tron|trc-?20|trx)\b/i, 'tron'],
  [/\b(ethereum|erc-?20|eth|polygon|arbitrum|base|bep-?20|bsc)\b/i, 'ethereum'],
  [/\b(bitcoin|btc)\b(?! cash)/i, 'bitcoin'],
]

/** Returns the network that a name refers to; null if the name refers to no known network. */
export function findNetwork(name: string): Network | null {
  return NETWORKS.find(([words]) => words.test(name))?.[1] ?? null
}

/**
 * Returns the reason why money sent to the address would be lost. Null if the address is valid or
 * cannot be checked.
 */
export function findAddressRefusal(network: string, address: string): string | null {
  switch (findNetwork(network)) {
    case 'bitcoin':
      return isBitcoinAddress(address) ? null : describeWrongAddress('Bitcoin')
    case 'ethereum':
      return isEthereumAddress(address) ? null : describeWrongAddress('Ethereum')
    case 'tron':
      return isTronAddress(address) ? null : describeWrongAddress('Tron')
    case null:
      return null
  }
}

function describeWrongAddress(name: string): string {
  return `This is not a valid ${name} address: its checksum is wrong. Copy it again from your wallet.`
}

function isBitcoinAddress(address: string): boolean {
  if (/^bc1/i.test(address)) return isSegwitAddress(address)
  const bytes = tryDecode(() => base58check.decode(address))
  return bytes?.length === 21 && (bytes[0] === 0x00 || bytes[0] === 0x05)
}

function isTronAddress(address: string): boolean {
  const bytes = tryDecode(() => base58check.decode(address))
  return bytes?.length === 21 && bytes[0] === 0x41
}

/**
 * Checks an Ethereum address. If the address has upper-case and lower-case letters, their case is a
 * checksum (EIP-55).
 */
function isEthereumAddress(address: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return false
  const digits = address.slice(2)
  const lower = digits.toLowerCase()
  if (digits === lower || digits === digits.toUpperCase()) return true
  const hash = Buffer.from(keccak_256(lower)).toString('hex')
  return [...lower].every((digit, place) => {
    const isCapital = Number.parseInt(hash.charAt(place), 16) >= 8
    return digits.charAt(place) === (isCapital ? digit.toUpperCase() : digit)
  })
}

/**
 * Checks a Bitcoin address by BIP 173 and BIP 350: version 0 uses bech32, and every higher version
 * uses bech32m.
 */
function isSegwitAddress(address: string): boolean {
  const older = tryDecode(() => bech32.decodeUnsafe(address)?.words)
  const words = older?.[0] === 0 ? older : tryDecode(() => bech32m.decodeUnsafe(address)?.words)
  const [version = -1, ...program] = words ?? []
  if (version < 0 || version > 16 || (version === 0) !== (words === older)) return false
  const length = tryDecode(() => bech32.fromWords(program))?.length ?? 0
  return version === 0 ? length === 20 || length === 32 : length >= 2 && length <= 40
}

/** Returns the decoded value; null if the encoding or the checksum is wrong. */
function tryDecode<Value>(decode: () => Value): Value | null {
  try {
    return decode()
  } catch {
    return null
  }
}
