import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** A key of 32 bytes, and the context that the bytes are bound to. */
interface Locking {
  key: Buffer
  /**
   * The context is authenticated but not stored. Decryption needs the context that was used for
   * encryption.
   */
  context: string
}

/** Encrypts with AES-256-GCM under a new nonce. Returns nonce, tag and ciphertext. */
export function encrypt({ key, context }: Locking, bytes: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce)
  cipher.setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Throws if the bytes were changed, or if key or context are not those of the encryption. */
export function decrypt({ key, context }: Locking, encrypted: Buffer): Buffer {
  const tagEnd = NONCE_BYTES + TAG_BYTES
  const decipher = createDecipheriv(ALGORITHM, key, encrypted.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(encrypted.subarray(NONCE_BYTES, tagEnd))
  return Buffer.concat([decipher.update(encrypted.subarray(tagEnd)), decipher.final()])
}
