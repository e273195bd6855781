import { concat } from './bytes.ts'
import { sha512 } from './sha512.ts'

interface Signed {
  publicKey: Uint8Array
  message: Uint8Array
  signature: Uint8Array
}

/** Verifies an Ed25519 signature with WebCrypto, or with the code below if that is unavailable. */
export async function isSignedBy(signed: Signed): Promise<boolean> {
  const subtle = globalThis.crypto?.subtle
  if (subtle === undefined) return isSignedByArithmetic(signed)
  const { publicKey, message, signature } = signed
  try {
    const key = await subtle.importKey('raw', copyBytes(publicKey), 'Ed25519', false, ['verify'])
    return await subtle.verify('Ed25519', key, copyBytes(signature), copyBytes(message))
  } catch {
    return isSignedByArithmetic(signed)
  }
}

const P = 2n ** 255n - 19n
const L = 2n ** 252n + 27742317777372353535851937790883648493n
const D = mod(-121665n * inverse(121666n))
const ROOT_OF_MINUS_ONE = power(2n, (P - 1n) / 4n)
const BASE_Y = mod(4n * inverse(5n))

/** Extended coordinates: x = X/Z, y = Y/Z, T = XY/Z. */
type Point = readonly [x: bigint, y: bigint, z: bigint, t: bigint]

/** RFC 8032 section 5.1.7. All inputs are public, so constant time is not required. */
export function isSignedByArithmetic({ publicKey, message, signature }: Signed): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  const encodedR = signature.slice(0, 32)
  const s = littleEndian(signature.slice(32))
  const a = decodePoint(publicKey)
  const r = decodePoint(encodedR)
  const base = pointAt(BASE_Y, 0n)
  if (a === null || r === null || base === null || s >= L) return false
  const h = littleEndian(sha512(concat(encodedR, publicKey, message))) % L
  return isSame(multiply(base, s), add(r, multiply(a, h)))
}

function decodePoint(bytes: Uint8Array): Point | null {
  const value = littleEndian(bytes)
  return pointAt(value & (2n ** 255n - 1n), value >> 255n)
}

function pointAt(y: bigint, sign: bigint): Point | null {
  if (y >= P) return null
  const square = mod((y * y - 1n) * inverse(mod(D * y * y + 1n)))
  let x = power(square, (P + 3n) / 8n)
  if (mod(x * x - square) !== 0n) x = mod(x * ROOT_OF_MINUS_ONE)
  if (mod(x * x - square) !== 0n || (x === 0n && sign === 1n)) return null
  if ((x & 1n) !== sign) x = P - x
  return [x, y, 1n, mod(x * y)]
}

function add([x1, y1, z1, t1]: Point, [x2, y2, z2, t2]: Point): Point {
  const a = mod((y1 - x1) * (y2 - x2))
  const b = mod((y1 + x1) * (y2 + x2))
  const c = mod(2n * t1 * t2 * D)
  const d = mod(2n * z1 * z2)
  const [e, f, g, h] = [b - a, d - c, d + c, b + a]
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)]
}

function multiply(point: Point, times: bigint): Point {
  let sum: Point = [0n, 1n, 1n, 0n]
  let doubled = point
  for (let remaining = times; remaining > 0n; remaining >>= 1n) {
    if (remaining & 1n) sum = add(sum, doubled)
    doubled = add(doubled, doubled)
  }
  return sum
}

function isSame([x1, y1, z1]: Point, [x2, y2, z2]: Point): boolean {
  return mod(x1 * z2 - x2 * z1) === 0n && mod(y1 * z2 - y2 * z1) === 0n
}

function mod(value: bigint): bigint {
  const remaining = value % P
  return remaining < 0n ? remaining + P : remaining
}

function inverse(value: bigint): bigint {
  return power(mod(value), P - 2n)
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let square = mod(base)
  for (let remaining = exponent; remaining > 0n; remaining >>= 1n) {
    if (remaining & 1n) result = mod(result * square)
    square = mod(square * square)
  }
  return result
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n)
}

function copyBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes)
}
