import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts codes for the worker, so that a copy of the database does not reveal them. */
export interface OutboxSeal {
  seal(content: Record<string, string>): Buffer
  open(sealed: Buffer): Record<string, string>
}

export function createOutboxSeal(secret: string): OutboxSeal {
  return createSeal(secret, 'cairn outbox')
}

/** Derives a separate key for each purpose from one secret. */
export function createSeal(secret: string, purpose: string): OutboxSeal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  return {
    seal: (content) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce)
      const body = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open: (sealed) => {
      const tagEnd = NONCE_BYTES + TAG_BYTES
      const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES))
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, tagEnd))
      const body = Buffer.concat([decipher.update(sealed.subarray(tagEnd)), decipher.final()])
      // `seal` encrypts a flat object of strings.
      return JSON.parse(body.toString('utf8')) as Record<string, string>
    },
  }
}
