import { createHash } from 'node:crypto'
import { keccak256 } from './keccak.ts'

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const BECH32M = 0x2bc830a3
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3] as const

export type Network = 'bitcoin' | 'ethereum' | 'tron'

/** The words that say which network it is come before the coin's: USDT is on several. */
const NETWORKS: readonly (readonly [RegExp, Network])[] = [
  [/\b(tron|trc-?20|trx)\b/i, 'tron'],
  [/\b(ethereum|erc-?20|eth|polygon|arbitrum|base|bep-?20|bsc)\b/i, 'ethereum'],
  [/\b(bitcoin|btc)\b(?! cash)/i, 'bitcoin'],
]

/** Which network its name means; null for one that we do not know. */
export function networkOf(name: string): Network | null {
  return NETWORKS.find(([words]) => words.test(name))?.[1] ?? null
}

/** Why money sent to the address would be lost; null when nothing speaks against it. */
export function addressRefusal(network: string, address: string): string | null {
  switch (networkOf(network)) {
    case 'bitcoin':
      return isBitcoin(address) ? null : wrong('Bitcoin')
    case 'ethereum':
      return isEthereum(address) ? null : wrong('Ethereum')
    case 'tron':
      return isTron(address) ? null : wrong('Tron')
    case null:
      return null
  }
}

function wrong(name: string): string {
  return `This is not a valid ${name} address: its checksum does not fit. Copy it again from your wallet.`
}

function isBitcoin(address: string): boolean {
  if (/^bc1/i.test(address)) return isSegwit(address)
  const bytes = readBase58Check(address)
  return bytes !== null && bytes.length === 21 && (bytes[0] === 0x00 || bytes[0] === 0x05)
}

function isTron(address: string): boolean {
  const bytes = readBase58Check(address)
  return bytes !== null && bytes.length === 21 && bytes[0] === 0x41
}

/** EIP-55: the case of the letters is the checksum, where there are both cases. */
function isEthereum(address: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return false
  const digits = address.slice(2)
  const lower = digits.toLowerCase()
  if (digits === lower || digits === digits.toUpperCase()) return true
  const hash = keccak256(Buffer.from(lower)).toString('hex')
  return [...lower].every((digit, place) => {
    const isCapital = Number.parseInt(hash.charAt(place), 16) >= 8
    return digits.charAt(place) === (isCapital ? digit.toUpperCase() : digit)
  })
}

/** The payload without its four bytes of checksum; null when they do not fit. */
function readBase58Check(text: string): Buffer | null {
  if (text.length > 60) return null
  let value = 0n
  for (const character of text) {
    const digit = BASE58.indexOf(character)
    if (digit < 0) return null
    value = value * 58n + BigInt(digit)
  }
  const hex = value.toString(16)
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  const rest = value === 0n ? '' : hex.padStart(hex.length + (hex.length % 2), '0')
  const bytes = Buffer.concat([Buffer.alloc(zeros), Buffer.from(rest, 'hex')])
  if (bytes.length < 5) return null
  const [payload, checksum] = [bytes.subarray(0, -4), bytes.subarray(-4)]
  const sha256 = (part: Uint8Array) => createHash('sha256').update(part).digest()
  return sha256(sha256(payload)).subarray(0, 4).equals(checksum) ? payload : null
}

/** BIP 173 and BIP 350: version 0 has the older constant, all later ones the newer. */
function isSegwit(address: string): boolean {
  const isOneCase = address === address.toLowerCase() || address === address.toUpperCase()
  if (!isOneCase || address.length > 90) return false
  const digits = [...address.toLowerCase().slice(3)].map((letter) => BECH32.indexOf(letter))
  if (digits.length < 8 || digits.includes(-1)) return false
  const [version = -1] = digits
  if (version > 16) return false
  // `bc`, spread as the checksum reads it.
  const spread = [3, 3, 0, 2, 3]
  if (polymod([...spread, ...digits]) !== (version === 0 ? 1 : BECH32M)) return false
  const bits = (digits.length - 7) * 5
  const bytes = Math.floor(bits / 8)
  if (bits % 8 > 4 || bytes < 2 || bytes > 40) return false
  return version !== 0 || bytes === 20 || bytes === 32
}

function polymod(values: readonly number[]): number {
  return values.reduce((checksum, value) => {
    const top = checksum >>> 25
    const next = ((checksum & 0x1ffffff) << 5) ^ value
    return GENERATOR.reduce(
      (sum, generator, place) => (((top >>> place) & 1) === 1 ? sum ^ generator : sum),
      next,
    )
  }, 1)
}
