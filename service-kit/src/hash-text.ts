import { hash } from 'node:crypto'

/** Returns the SHA-256 of the text in UTF-8, as base64url. */
export function hashText(text: string): string {
  return hash('sha256', text, 'base64url')
}
