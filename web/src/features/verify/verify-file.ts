import {
  openKeys,
  ProofError,
  parsePostings,
  type VerifiedReceipt,
  verifyReceipt,
} from '@cairn/gateway-contracts/proof'
import { describeReason } from './describe-reason.ts'
import { trustKeysOfLedger } from './ledger-keys.ts'

/** The maximum size of a file. A receipt has only a few kilobytes. */
export const RECEIPT_CHARACTERS_MAX = 1_000_000

export type Verdict = { isRight: true; facts: ReceiptFacts } | { isRight: false; reason: string }

export type ReceiptFacts = {
  /** The sequence number of the event. `size` is the number of events in the signed log. */
  seq: string
  size: string
  origin: string
  type: string
  recordedAt: string | null
  /** The time from which the event counts. The event contains it only if it is not `recordedAt`. */
  effectiveAt: string | null
  /**
   * The time at which the operator declared that the event was lost in a restore. Null if the log
   * contains the event.
   */
  lostAt: string | null
  /** The postings, with amounts in minor units as in the event. */
  postings: ReadonlyArray<{ account: string; amountMinor: bigint }>
  /** The event as stored in the log. */
  event: Readonly<Record<string, unknown>>
}

/** Verifies a receipt of a ledger with the keys that this browser trusts; see `trustKeys`. */
export async function verifyWithOfferedKeys(
  file: string,
  offered: { ledger: number | null; verifierKeys: readonly string[] },
): Promise<Verdict> {
  try {
    return await verifyFile(file, trustKeysOfLedger(offered))
  } catch (error) {
    if (error instanceof ProofError) return { isRight: false, reason: describeReason(error) }
    throw error
  }
}

/** Verifies a receipt with the file and the keys alone, without a server. */
export async function verifyFile(file: string, keys: readonly string[]): Promise<Verdict> {
  if (file.length > RECEIPT_CHARACTERS_MAX) {
    return { isRight: false, reason: 'this file is too large to be a receipt' }
  }
  try {
    // An editor may have changed the line endings of the file.
    const receipt = await verifyReceipt(file.replaceAll('\r\n', '\n'), openKeys(keys))
    return { isRight: true, facts: toReceiptFacts(receipt) }
  } catch (error) {
    if (error instanceof ProofError) return { isRight: false, reason: describeReason(error) }
    return { isRight: false, reason: 'this is not a receipt of the ledger' }
  }
}

function toReceiptFacts({ checkpoint, event, lostIn }: VerifiedReceipt): ReceiptFacts {
  const toText = (value: unknown) => (typeof value === 'string' ? value : '')
  const recordedAt = toText(event.at)
  const effectiveAt = toText(event.effectiveAt) || recordedAt
  return {
    seq: toText(event.seq),
    size: String(checkpoint.size),
    origin: checkpoint.origin,
    type: toText(event.type),
    recordedAt: recordedAt === '' ? null : recordedAt,
    effectiveAt: effectiveAt === '' ? null : effectiveAt,
    lostAt: lostIn?.at ?? null,
    postings: readPostings(event.postings),
    event,
  }
}

/** Returns an empty list if the event has no readable postings. */
function readPostings(stored: unknown): ReceiptFacts['postings'] {
  if (!Array.isArray(stored)) return []
  try {
    return parsePostings(stored.map(String))
  } catch {
    return []
  }
}
