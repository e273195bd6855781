import { sha256 } from '@noble/hashes/sha2.js'
import { areBytesEqual, concatBytes, decodeBase64, encodeUtf8, toHex } from './bytes.ts'
import { isPrimeOrderPoint, isSignedBy } from './ed25519.ts'

/** The size and root that a log signed (c2sp.org/tlog-checkpoint). */
export interface Checkpoint {
  readonly origin: string
  readonly size: bigint
  readonly root: Uint8Array
  /**
   * The forks that removed events of this checkpoint from the log, oldest first. The list is
   * normally empty.
   */
  readonly forks: readonly LogFork[]
}

/** An older state of the log was restored: the events from `size` on were lost. */
export interface LogFork {
  readonly size: bigint
  /** The time at which the loss was declared. */
  readonly at: string
}

export interface VerifierKey {
  readonly name: string
  /** The key id: four bytes, in hex. */
  readonly id: string
  readonly publicKey: Uint8Array
  /**
   * The limits of a replaced key; undefined for a key that may still sign. `openKeys` sets them.
   */
  readonly end?: {
    /** The largest number of events in a checkpoint of this key that is accepted. */
    readonly until: bigint
    /** The forks at and after the end of this key, oldest first. */
    readonly forks: readonly LogFork[]
  }
}

/** Thrown if a proof is invalid. The message is a sentence for the user. */
export class ProofError extends Error {
  override readonly name = 'ProofError'
}

const ED25519 = 0x01
const SIGNATURES_MAX = 64

/** Parses `<name>+<key id in hex>+<base 64 of type and key>` (c2sp.org/signed-note). */
export function parseVerifierKey(text: string): VerifierKey {
  const [name = '', id = '', encoded = '', ...rest] = text.trim().split('+')
  // Base 64 also uses the plus sign, so the remaining parts belong to the key.
  const material = decodeBase64([encoded, ...rest].join('+'))
  if (name === '' || material === null || material.length !== 33 || material[0] !== ED25519) {
    throw new ProofError('this is not the verifier key of an Ed25519 log')
  }
  const publicKey = material.slice(1)
  if (computeKeyId(name, publicKey) !== id) {
    throw new ProofError(`the verifier key of ${name} contains a wrong id`)
  }
  if (!isPrimeOrderPoint(publicKey)) {
    throw new ProofError(`the verifier key of ${name} is not a valid Ed25519 key`)
  }
  return { name, id, publicKey }
}

export function computeKeyId(name: string, publicKey: Uint8Array): string {
  const hash = sha256(concatBytes(encodeUtf8(`${name}\n`), Uint8Array.of(ED25519), publicKey))
  return toHex(hash.slice(0, 4))
}

/**
 * Returns the checkpoint in a signed note. Throws a ProofError unless one of `keys` signed the
 * note. A key is accepted only for the log that it names, so that no key can sign for another log.
 * A replaced key is accepted only for the events up to its end.
 */
export async function openCheckpoint(
  note: string,
  keys: readonly VerifierKey[],
): Promise<Checkpoint> {
  const { text, signatures } = splitNote(note)
  const known = signatures.flatMap((signature) => {
    const key = keys.find(({ name, id }) => name === signature.name && id === signature.id)
    return key === undefined ? [] : [{ key, signature }]
  })
  if (known.length === 0) throw new ProofError('no key you trust has signed this checkpoint')
  for (const { key, signature } of known) {
    const { publicKey } = key
    const isGood = await isSignedBy({
      publicKey,
      message: encodeUtf8(text),
      signature: signature.bytes,
    })
    if (!isGood) throw new ProofError(`the signature of ${key.name} does not match the checkpoint`)
  }
  const checkpoint = parseCheckpoint(text)
  const { origin, size } = checkpoint
  const signer = known.find(({ key }) => key.name === origin)?.key
  if (signer !== undefined) {
    const { until, forks } = signer.end ?? { until: size, forks: [] }
    if (size <= until) return { ...checkpoint, forks: forks.filter((fork) => fork.size < size) }
    throw new ProofError(
      `the key ${signer.name}+${signer.id} was replaced after ${until} events, ` +
        `so it cannot sign a checkpoint of ${size}`,
    )
  }
  const names = known.map(({ key }) => key.name).join(', ')
  throw new ProofError(
    `the checkpoint belongs to the log ${origin}, but its signing key belongs to ${names}`,
  )
}

function splitNote(note: string) {
  const at = note.lastIndexOf('\n\n')
  if (at < 0) throw new ProofError('the checkpoint is not a signed note')
  const text = note.slice(0, at + 1)
  const lines = note.slice(at + 2).split('\n')
  if (lines.pop() !== '' || lines.length === 0 || lines.length > SIGNATURES_MAX) {
    throw new ProofError('the checkpoint has no well-formed signature lines')
  }
  return { text, signatures: lines.map(parseSignature) }
}

function parseSignature(line: string): { name: string; id: string; bytes: Uint8Array } {
  const match = /^\u2014 ([^\s+]+) (\S+)$/u.exec(line)
  const bytes = decodeBase64(match?.[2] ?? '')
  if (match?.[1] === undefined || bytes === null || bytes.length < 5) {
    throw new ProofError('a signature line of the checkpoint is malformed')
  }
  return { name: match[1], id: toHex(bytes.slice(0, 4)), bytes: bytes.slice(4) }
}

function parseCheckpoint(text: string): Omit<Checkpoint, 'forks'> {
  const [origin = '', size = '', encodedRoot = ''] = text.split('\n')
  const root = decodeBase64(encodedRoot)
  if (origin === '' || !/^(0|[1-9]\d{0,18})$/.test(size) || root?.length !== 32) {
    throw new ProofError('the checkpoint does not name its origin, size and root')
  }
  return { origin, size: BigInt(size), root }
}

/** Returns the number of the ledger that the name of a log contains; null if it contains none. */
export function getLedgerOfOrigin(origin: string): number | null {
  const digits = /\/(\d{1,9})(?:\.\d{1,9})?$/.exec(origin)?.[1]
  return digits === undefined ? null : Number(digits)
}

export function isSameRoot(left: Checkpoint, right: Checkpoint): boolean {
  return left.size === right.size && areBytesEqual(left.root, right.root)
}
