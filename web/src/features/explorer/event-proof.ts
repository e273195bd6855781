import type { LogEvent } from '@cairn/gateway-contracts'
import { splitEventNumber } from '@cairn/gateway-contracts/event-numbers'
import {
  openKeys,
  ProofError,
  parseReceipt,
  toHex,
  verifyReceipt,
} from '@cairn/gateway-contracts/proof'

import { findChangedPart } from './compare-event.ts'

export type Verdict =
  | { isProved: true; size: bigint; root: string; origin: string }
  | { isProved: false; reason: string }

/**
 * Checks that a receipt proves the event on the page. A valid receipt can belong to an event that
 * is not on the page, so the shown event and bytes are compared with the bytes in the receipt.
 */
export async function verifyEventProof(proof: {
  /** The event as the page shows it. */
  event: LogEvent
  bytes: string
  receipt: string
  verifierKeys: readonly string[]
  /**
   * Returns the keys that this browser trusts. Throws a ProofError if the server offers keys that
   * this browser does not trust.
   */
  trust: (offered: readonly string[]) => readonly string[]
}): Promise<Verdict> {
  const { event, bytes, receipt, verifierKeys, trust } = proof
  const { seq } = splitEventNumber(event.seq)
  try {
    const keys = openKeys(trust(verifierKeys))
    const { checkpoint, index } = await verifyReceipt(receipt, keys)
    if (String(index) !== seq) {
      throw new ProofError(`the receipt is for event ${index}, not for event ${seq}`)
    }
    const signed = parseReceipt(receipt).event
    if (new TextDecoder().decode(signed) !== bytes) {
      throw new ProofError(`event ${seq} on this page differs from the event in its receipt`)
    }
    const changed = findChangedPart(event, signed)
    if (changed !== null) {
      throw new ProofError(
        `the ${changed} of event ${seq} on this page differs from its raw record`,
      )
    }
    const { size, root, origin } = checkpoint
    return { isProved: true, size, root: toHex(root), origin }
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return { isProved: false, reason: error.message }
  }
}
