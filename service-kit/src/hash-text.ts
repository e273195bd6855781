import { hash } from 'node:crypto'

/** Returns the SHA-256 of the text in UTF-8, as base64url. */
export function hashToBase64url(text: string): string {
  return hash('sha256', text, 'base64url')
}

/** Returns the SHA-256 of the text in UTF-8, as lower-case hexadecimal digits. */
export function hashToHex(text: string): string {
  return hash('sha256', text, 'hex')
}
