import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Key, KeyRing } from './key-ring.ts'

const ALGORITHM = 'aes-256-gcm'
const ID_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts secrets in the database, so that a copy of the database does not reveal them. */
export interface Seal {
  seal(content: Record<string, string>): Buffer
  /** Throws if the key is unknown or the bytes were changed. */
  open(sealed: Buffer): Record<string, string>
  /** True if the bytes are sealed with the key that seals now. */
  isCurrent(sealed: Buffer): boolean
}

/** Derives a separate key for each purpose. The sealed bytes begin with the id of the secret. */
export function createSeal(ring: KeyRing, purpose: string): Seal {
  const derive = ({ secret }: Key) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  return {
    seal: (content) => {
      const key = ring.current()
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, derive(key), nonce)
      const body = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()])
      return Buffer.concat([key.id, nonce, cipher.getAuthTag(), body])
    },
    open: (sealed) => {
      const key = ring.find(sealed.subarray(0, ID_BYTES))
      if (key === null) throw new Error(`the key of sealed data is unknown (${purpose})`)
      const nonceEnd = ID_BYTES + NONCE_BYTES
      const tagEnd = nonceEnd + TAG_BYTES
      const nonce = sealed.subarray(ID_BYTES, nonceEnd)
      const decipher = createDecipheriv(ALGORITHM, derive(key), nonce)
      decipher.setAuthTag(sealed.subarray(nonceEnd, tagEnd))
      const body = Buffer.concat([decipher.update(sealed.subarray(tagEnd)), decipher.final()])
      // `seal` encrypts a flat object of strings.
      return JSON.parse(body.toString('utf8')) as Record<string, string>
    },
    isCurrent: (sealed) => sealed.subarray(0, ID_BYTES).equals(ring.current().id),
  }
}

/** Seals the codes and links of mails that wait in the database. */
export function createOutboxSeal(ring: KeyRing): Seal {
  return createSeal(ring, 'cairn outbox')
}

/** Seals the secrets of authenticator apps. */
export function createFactorSeal(ring: KeyRing): Seal {
  return createSeal(ring, 'cairn totp')
}
