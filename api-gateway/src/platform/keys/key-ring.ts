import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'

const SECRETS_MAX = 2
const SECRET_CHARACTERS_MIN = 16
const ID_BYTES = 4
/** A change of the file takes effect within this number of milliseconds. */
export const REREAD_MS = 1_000
/**
 * The minimum time, in milliseconds, between two reads of the file for signatures or data with an
 * unknown key. Without this minimum, a client could cause a read with each request.
 */
const FORCED_REREAD_MS = 50

/** The secret itself, or a file that contains it and can be replaced while the process runs. */
export type KeySource = { value: string } | { file: string }

export interface Key {
  /** The first four bytes of the hash of the secret. Sealed data begins with these bytes. */
  id: Buffer
  secret: string
}

/**
 * One or two secrets, separated by a comma. The first secret signs and seals. Both secrets can
 * verify and open, so a new secret can replace the old secret without an interruption.
 */
export interface KeyRing {
  getCurrentKey(): Key
  /** Returns null if no secret has this id. */
  find(id: Buffer): Key | null
  /** Returns the HMAC-SHA256 of the text with the first secret as its key. */
  sign(text: string): Buffer
  /** Returns true if one of the secrets signed the text. */
  verify(text: string, signature: Buffer): boolean
}

export function createKeyRing(source: KeySource): KeyRing {
  let keys = readKeys(source)
  let readAtMs = performance.now()

  function listKeys(maxAgeMs: number): readonly Key[] {
    if ('file' in source && performance.now() - readAtMs > maxAgeMs) {
      keys = readKeys(source)
      readAtMs = performance.now()
    }
    return keys
  }

  /**
   * Reads the file again if no known key matches, because another process may already use a newer
   * key.
   */
  function findKey(isWanted: (key: Key) => boolean): Key | null {
    return listKeys(REREAD_MS).find(isWanted) ?? listKeys(FORCED_REREAD_MS).find(isWanted) ?? null
  }

  function getCurrentKey(): Key {
    const [first] = listKeys(REREAD_MS)
    if (first === undefined) throw new Error('a key ring contains at least one key')
    return first
  }

  return {
    getCurrentKey,
    find: (id) => findKey((key) => key.id.equals(id)),
    sign: (text) => computeHmac(getCurrentKey(), text),
    verify: (text, signature) =>
      findKey((key) => isSame(computeHmac(key, text), signature)) !== null,
  }
}

/** Throws if the text is not one or two secrets of at least 16 characters. */
export function parseKeys(text: string): readonly Key[] {
  const secrets = text.trim().split(',')
  const isValid = secrets.every((secret) => secret.length >= SECRET_CHARACTERS_MIN)
  if (!isValid || secrets.length > SECRETS_MAX) {
    throw new Error(
      `expected one secret of at least ${SECRET_CHARACTERS_MIN} characters, or two such secrets separated by a comma`,
    )
  }
  return secrets.map((secret) => {
    const hash = createHash('sha256').update(`cairn key id!${secret}`).digest()
    return { id: hash.subarray(0, ID_BYTES), secret }
  })
}

function readKeys(source: KeySource): readonly Key[] {
  return parseKeys('file' in source ? readFileSync(source.file, 'utf8') : source.value)
}

function computeHmac({ secret }: Key, text: string): Buffer {
  return createHmac('sha256', secret).update(text).digest()
}

function isSame(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right)
}
