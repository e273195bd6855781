import { decodeBase64, encodeUtf8, toBase64 } from './bytes.ts'
import { type LogFork, ProofError, parseVerifierKey, type VerifierKey } from './checkpoint.ts'
import { isSignedByNoble } from './ed25519.ts'

/**
 * The statement of a signing key that a new key may sign from now on. The statement is one line:
 * these fields, the two keys, and the signature of the old key, separated by spaces.
 */
export interface Handover {
  /** The number of events of the log when the old key ended, and their root. */
  readonly size: bigint
  readonly root: Uint8Array
  /**
   * Null if the key was replaced without a loss of events. Otherwise an older state with `size`
   * events was restored. `lost` then contains the newest checkpoint that was signed before the
   * loss, and the time at which the loss was declared.
   */
  readonly lost: { readonly size: bigint; readonly root: Uint8Array; readonly at: string } | null
  readonly oldKey: VerifierKey
  readonly newKey: VerifierKey
}

// The name of a log has no space, so a statement and a checkpoint cannot be confused.
const ROTATION = 'cairn-rotation/1'
const FORK = 'cairn-fork/1'
const ROTATION_FIELDS = 6
const FORK_FIELDS = 9
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Returns the text that the old key signs. A space and the signature complete the line. */
export function formatUnsignedHandover({ size, root, lost, oldKey, newKey }: Handover): string {
  const keys = [formatVerifierKey(oldKey), formatVerifierKey(newKey)]
  const log = [String(size), toBase64(root)]
  if (lost === null) return [ROTATION, ...log, ...keys].join(' ')
  return [FORK, ...log, String(lost.size), toBase64(lost.root), lost.at, ...keys].join(' ')
}

export function formatVerifierKey({ name, id, publicKey }: VerifierKey): string {
  return `${name}+${id}+${toBase64(Uint8Array.of(0x01, ...publicKey))}`
}

/**
 * Parses and verifies one line. Throws a ProofError if the old key did not sign the line. The new
 * key must have the present name of the log or, after a loss of events, the next name. Otherwise
 * throws a ProofError.
 */
export function openHandover(line: string): Handover {
  const handover = parseHandover(line)
  const { lost, oldKey, newKey } = handover
  const [, signature] = splitSignature(line)
  const message = encodeUtf8(formatUnsignedHandover(handover))
  if (!isSignedByNoble({ publicKey: oldKey.publicKey, message, signature })) {
    throw new ProofError(`the key ${oldKey.name}+${oldKey.id} did not sign the change of the key`)
  }
  const name = lost === null ? oldKey.name : getNextOrigin(oldKey.name)
  if (newKey.name === name) return handover
  throw new ProofError(`the key after ${oldKey.name} must have the name ${name}`)
}

/**
 * Returns the name of the log after the loss of events: `cairn.example/ledger/1.2` after
 * `cairn.example/ledger/1`, and `.../1.3` after that.
 */
export function getNextOrigin(origin: string): string {
  const [, base, count = '1'] = /^(.*\/\d+)(?:\.(\d{1,9}))?$/.exec(origin) ?? [null, origin]
  return `${base}.${Number(count) + 1}`
}

/**
 * Returns the keys that may sign, oldest first, with the limits of replaced keys. Each line is a
 * verifier key that the caller trusts, or a handover. A handover is ignored if its old key is not
 * one of these keys. Throws a ProofError for an invalid handover, or if one key named two
 * successors.
 */
export function openKeys(lines: readonly string[]): readonly VerifierKey[] {
  const trusted = lines.filter((line) => !isHandover(line)).map(parseVerifierKey)
  let keys: readonly VerifierKey[] = trusted
  for (const line of new Set(lines.filter(isHandover))) {
    const handover = parseHandover(line)
    const old = keys.find((key) => isSameKey(key, handover.oldKey))
    if (old === undefined) continue
    openHandover(line)
    if (old.end !== undefined) {
      throw new ProofError(`the key ${old.name}+${old.id} has named two successors`)
    }
    keys = followHandover(keys, handover)
  }
  return keys
}

/** Returns the verifier keys that the lines contain, for display. Does not verify the lines. */
export function listKeyTexts(lines: readonly string[]): readonly string[] {
  const texts = lines.map((line) => (isHandover(line) ? (line.split(' ').at(-2) ?? '') : line))
  return [...new Set(texts)]
}

/** Returns the forks among the lines, in their order. */
export function listForks(lines: readonly string[]): readonly LogFork[] {
  const handovers = lines.filter(isHandover).map(openHandover)
  return handovers.flatMap(({ size, lost }) => (lost === null ? [] : [{ size, at: lost.at }]))
}

function followHandover(
  keys: readonly VerifierKey[],
  { size, lost, oldKey, newKey }: Handover,
): readonly VerifierKey[] {
  const forks: readonly LogFork[] = lost === null ? [] : [{ size, at: lost.at }]
  const limited = keys.map((key): VerifierKey => {
    if (isSameKey(key, oldKey)) return { ...key, end: { until: lost?.size ?? size, forks } }
    // The key `oldKey` gets its limits here. A fork also adds to the limits of earlier keys,
    // because it can remove events that these keys signed.
    if (key.end === undefined) return key
    return { ...key, end: { ...key.end, forks: [...key.end.forks, ...forks] } }
  })
  return limited.some((key) => isSameKey(key, newKey)) ? limited : [...limited, newKey]
}

function isHandover(line: string): boolean {
  return line.startsWith(`${ROTATION} `) || line.startsWith(`${FORK} `)
}

function isSameKey(left: VerifierKey, right: VerifierKey): boolean {
  return formatVerifierKey(left) === formatVerifierKey(right)
}

function splitSignature(line: string): readonly [string, Uint8Array] {
  const at = line.lastIndexOf(' ')
  return [line.slice(0, at), decodeBase64(line.slice(at + 1)) ?? new Uint8Array()]
}

function parseHandover(line: string): Handover {
  const [kind, ...fields] = line.split(' ')
  const isRotation = kind === ROTATION && fields.length + 1 === ROTATION_FIELDS
  const isFork = kind === FORK && fields.length + 1 === FORK_FIELDS
  if (!isRotation && !isFork) throw new ProofError('this is not the change of a signing key')
  const [size, root] = fields
  const [lostSize, lostRoot, at = ''] = fields.slice(2)
  const [oldKey = '', newKey = ''] = fields.slice(-3)
  const lost = isRotation ? null : { ...parseHead(lostSize, lostRoot), at: parseTime(at) }
  return {
    ...parseHead(size, root),
    lost,
    oldKey: parseVerifierKey(oldKey),
    newKey: parseVerifierKey(newKey),
  }
}

function parseHead(size = '', encoded = ''): { size: bigint; root: Uint8Array } {
  const root = decodeBase64(encoded)
  if (!/^(0|[1-9]\d{0,18})$/.test(size) || root?.length !== 32) {
    throw new ProofError('the change of a signing key names no size and root')
  }
  return { size: BigInt(size), root }
}

function parseTime(text: string): string {
  if (TIME.test(text)) return text
  throw new ProofError('the change of a signing key names no time')
}
