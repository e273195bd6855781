import { decodeBase64, toBase64 } from './bytes.ts'
import {
  type Checkpoint,
  type LogFork,
  openCheckpoint,
  ProofError,
  type VerifierKey,
} from './checkpoint.ts'
import { hashLeaf, isIncluded } from './merkle.ts'

/**
 * The first line of a receipt, a `tlog-proof` file (c2sp.org/tlog-proof@v1). A receipt contains the
 * bytes of one event, the inclusion proof and the signed checkpoint.
 */
const HEADER = 'c2sp.org/tlog-proof@v1'
const PATH_MAX = 64

export interface Receipt {
  readonly event: Uint8Array
  readonly index: bigint
  readonly path: readonly Uint8Array[]
  /** The signed note, byte for byte as in the file. */
  readonly checkpoint: string
}

export interface VerifiedReceipt {
  readonly checkpoint: Checkpoint
  readonly index: bigint
  /**
   * The fork that removed the event from the log after the receipt was signed; null if the log
   * still contains the event.
   */
  readonly lostIn: LogFork | null
  /** The parsed canonical JSON of the event. */
  readonly event: Readonly<Record<string, unknown>>
}

export function formatReceipt({ event, index, path, checkpoint }: Receipt): string {
  const lines = [HEADER, `extra ${toBase64(event)}`, `index ${index}`, ...path.map(toBase64)]
  return `${lines.join('\n')}\n\n${checkpoint}`
}

/**
 * Verifies the signature, the inclusion proof and the number of the event. Returns the event and
 * the checkpoint. Throws a ProofError whose message names the part that does not match.
 */
export async function verifyReceipt(
  file: string,
  keys: readonly VerifierKey[],
): Promise<VerifiedReceipt> {
  const receipt = parseReceipt(file)
  const checkpoint = await openCheckpoint(receipt.checkpoint, keys)
  const { index, path } = receipt
  const { size, root } = checkpoint
  if (index >= size) {
    throw new ProofError(`event ${index} is not among the ${size} events of the checkpoint`)
  }
  if (!isIncluded({ leaf: hashLeaf(receipt.event), index, size, root, path })) {
    throw new ProofError(
      `the event in this receipt is not event ${index} of the signed ledger: ` +
        'its content or its proof was changed',
    )
  }
  const event = readEvent(receipt.event)
  if (event.seq !== String(index)) {
    throw new ProofError(`the receipt is for event ${index}, but it contains event ${event.seq}`)
  }
  const lostIn = checkpoint.forks.find((fork) => index >= fork.size) ?? null
  return { checkpoint, index, lostIn, event }
}

export function parseReceipt(file: string): Receipt {
  const at = file.indexOf('\n\n')
  const [header, extra = '', index = '', ...path] = file.slice(0, Math.max(at, 0)).split('\n')
  const event = decodeBase64(extra.replace(/^extra /, ''))
  const hashes = path.map(decodeBase64)
  const seq = /^index (0|[1-9]\d{0,18})$/.exec(index)?.[1]
  if (header !== HEADER || !extra.startsWith('extra ') || event === null || seq === undefined) {
    throw new ProofError('this is not a receipt of the ledger')
  }
  const whole = hashes.filter((hash) => hash?.length === 32)
  if (whole.length !== hashes.length || hashes.length > PATH_MAX) {
    throw new ProofError('the path in this receipt is malformed')
  }
  return {
    event,
    index: BigInt(seq),
    path: whole.flatMap((hash) => (hash === null ? [] : [hash])),
    checkpoint: file.slice(at + 2),
  }
}

/**
 * Returns the name of the log that a receipt states. The name is not verified; it says with which
 * keys the receipt must be verified.
 */
export function readOrigin(file: string): string {
  return parseReceipt(file).checkpoint.split('\n', 1)[0] ?? ''
}

function readEvent(bytes: Uint8Array): Record<string, unknown> {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ProofError('the event in this receipt is not readable')
  }
}
