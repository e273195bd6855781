import { ed25519 } from '@noble/curves/ed25519.js'

interface Signed {
  publicKey: Uint8Array
  message: Uint8Array
  signature: Uint8Array
}

const SIGNATURE_BYTES = 64

/**
 * Verifies an Ed25519 signature with WebCrypto, or with noble if WebCrypto is unavailable. The
 * results are equal only if `isPrimeOrderPoint` is true for the key. That check is slow, so it runs
 * when a key is parsed and not for each signature.
 */
export async function isSignedBy(signed: Signed): Promise<boolean> {
  const subtle = globalThis.crypto?.subtle
  if (subtle === undefined) return isSignedByNoble(signed)
  const { publicKey, message, signature } = signed
  try {
    const key = await subtle.importKey('raw', copyBytes(publicKey), 'Ed25519', false, ['verify'])
    return await subtle.verify('Ed25519', key, copyBytes(signature), copyBytes(message))
  } catch {
    return isSignedByNoble(signed)
  }
}

/**
 * True if the bytes are the canonical encoding of a point of prime order. The owner of any other
 * public key can make signatures that some verifiers accept and some verifiers refuse.
 */
export function isPrimeOrderPoint(bytes: Uint8Array): boolean {
  try {
    const point = ed25519.Point.fromBytes(bytes)
    return !point.is0() && point.isTorsionFree()
  } catch {
    return false
  }
}

/**
 * Verifies with noble, which multiplies both sides of the equation by eight. Noble therefore
 * accepts some signatures that WebCrypto refuses. In these signatures, the key or R contains a
 * point of small order, so this function refuses such points. Unlike WebCrypto, this function is
 * synchronous, but slower.
 */
export function isSignedByNoble({ publicKey, message, signature }: Signed): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false
  const points = [publicKey, signature.slice(0, SIGNATURE_BYTES / 2)]
  if (!points.every(isPrimeOrderPoint)) return false
  return ed25519.verify(signature, message, publicKey, { zip215: false })
}

function copyBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes)
}
