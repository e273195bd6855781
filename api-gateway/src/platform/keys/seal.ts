import { hkdfSync } from 'node:crypto'
import { decrypt, encrypt } from './aes-gcm.ts'
import type { Key, KeyRing } from './key-ring.ts'

const ID_BYTES = 4

/** Encrypts secrets in the database, so that a copy of the database does not reveal them. */
export interface Seal {
  seal(content: Record<string, string>): Buffer
  /** Throws if the key is unknown or the bytes were changed. */
  open(sealed: Buffer): Record<string, string>
  /** True if the bytes are sealed with the key that is used for new data. */
  isCurrent(sealed: Buffer): boolean
}

/** Derives a separate key for each purpose. The sealed bytes begin with the id of the secret. */
export function createSeal(ring: KeyRing, purpose: string): Seal {
  // The derived key already depends on the purpose, so the bytes need no context.
  const deriveCipherKey = ({ secret }: Key) => ({
    key: Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)),
    context: '',
  })
  return {
    seal: (content) => {
      const key = ring.getCurrentKey()
      return Buffer.concat([
        key.id,
        encrypt(deriveCipherKey(key), Buffer.from(JSON.stringify(content))),
      ])
    },
    open: (sealed) => {
      const key = ring.find(sealed.subarray(0, ID_BYTES))
      if (key === null) throw new Error(`the key of sealed data is unknown (${purpose})`)
      const body = decrypt(deriveCipherKey(key), sealed.subarray(ID_BYTES))
      // The cast is safe because `seal` encrypts only flat objects of strings.
      return JSON.parse(body.toString('utf8')) as Record<string, string>
    },
    isCurrent: (sealed) => sealed.subarray(0, ID_BYTES).equals(ring.getCurrentKey().id),
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
