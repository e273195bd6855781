import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  computeKeyId,
  encodeUtf8,
  formatUnsignedHandover,
  type Handover,
  parseVerifierKey,
  toBase64,
} from '@cairn/ledger-contracts/proof'
import { createFile } from '@cairn/service-kit/durable-file'

/** The key that signs the checkpoints of a log. It is never stored in the database. */
export interface SigningKey {
  /** The log's name in its checkpoints, such as `cairn.example/ledger/1`. */
  readonly origin: string
  /** The public key in the format of c2sp.org/signed-note. */
  readonly verifierKey: string
  /** Returns the signed note of a tree head. `extension` contains its extension lines. */
  signCheckpoint(head: { size: bigint; root: Buffer; extension?: readonly string[] }): string
  /** Returns the line with which this key names the key that signs after it. */
  signHandover(to: Omit<Handover, 'oldKey'>): string
}

const ED25519 = 0x01

/** Opens a PKCS #8 private key. Several ledgers can share a key, each with its own origin. */
export function openSigningKey({ pem, origin }: { pem: string; origin: string }): SigningKey {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('the signing key is not Ed25519')
  const publicKey = getRawPublicKey(key)
  const id = computeKeyId(origin, publicKey)
  const material = toBase64(Uint8Array.of(ED25519, ...publicKey))
  const verifierKey = `${origin}+${id}+${material}`
  return {
    origin,
    verifierKey,
    signCheckpoint: ({ size, root, extension = [] }) => {
      const text = `${[origin, size, root.toString('base64'), ...extension].join('\n')}\n`
      const signature = Buffer.concat([Buffer.from(id, 'hex'), sign(null, encodeUtf8(text), key)])
      return `${text}\n\u2014 ${origin} ${signature.toString('base64')}\n`
    },
    signHandover: (to) => {
      const text = formatUnsignedHandover({ ...to, oldKey: parseVerifierKey(verifierKey) })
      return `${text} ${sign(null, encodeUtf8(text), key).toString('base64')}`
    },
  }
}

/**
 * Returns the key in the file. If the file does not exist, creates it with a new key and mode 0600.
 * The file is whole and flushed before it gets its name, because the log depends on the key.
 */
export async function readOrCreateKey(file: string): Promise<string> {
  if (existsSync(file)) return readFile(file, 'utf8')
  const { privateKey } = generateKeyPairSync('ed25519')
  const fresh = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  return (await createFile(file, fresh, 0o600)) ? fresh : readFile(file, 'utf8')
}

/** The file of the next key, while a key is replaced. */
export function getNextKeyFile(file: string): string {
  return `${file}.next`
}

/**
 * Returns the configured key. If it is in a file, also returns the next key, if there is one, and
 * creates a missing file. The next key is read first, because its file replaces the first file at
 * the end.
 */
export async function readKeys({
  signingKeyPem,
  signingKeyFile,
}: {
  signingKeyPem: string | null
  signingKeyFile: string
}): Promise<readonly string[]> {
  if (signingKeyPem !== null) return [signingKeyPem]
  const next = await readFile(getNextKeyFile(signingKeyFile), 'utf8').catch((error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  })
  const present = await readOrCreateKey(signingKeyFile)
  return next === null ? [present] : [present, next]
}

function getRawPublicKey(key: KeyObject): Uint8Array {
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' })
  return new Uint8Array(spki.subarray(-32))
}
