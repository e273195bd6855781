const encoder = new TextEncoder()

export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text)
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

export function areBytesEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index])
}

/** Returns null if the text is not canonical base 64. */
export function decodeBase64(text: string): Uint8Array | null {
  try {
    const binary = atob(text)
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    return toBase64(bytes) === text ? bytes : null
  } catch {
    return null
  }
}

export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
