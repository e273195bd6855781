import { formatCount } from '@cairn/gateway-contracts/counted'
import {
  formatReceipt,
  openCheckpoint,
  openKeys,
  ProofError,
  parseReceipt,
  type Receipt,
  toHex,
  type VerifierKey,
  verifyReceipt,
} from '@cairn/gateway-contracts/proof'

import { readPublic } from '../../shared/api/read-public.ts'
import { describeReason } from './describe-reason.ts'
import { computeProofPath } from './proof-path.ts'
import { trustKeys } from './trusted-keys.ts'

/** `matches` is the number of the steps signature, size and root that match, in this order. */
export type CheckpointVerdict =
  | { isRight: true; matches: 3; origin: string; size: bigint; root: string }
  | { isRight: false; matches: 0 | 1; reason: string }

/** The text of the record, split before and after the character that the visitor can change. */
type RecordText = { before: string; character: string; after: string }

export type SampleVerdict = {
  planName: string
  seq: string
  record: RecordText
  /** The hashes from the event to the computed root. The hash of the event is first. */
  hashes: readonly string[]
  signedRoot: string
} & ({ isRight: true; size: bigint } | { isRight: false; reason: string })

export type Sample = { file: string; verifierKeys: readonly string[] }

/**
 * Reads the newest checkpoint and verifies its signature. Returns null if there is no checkpoint
 * yet.
 */
export async function checkLatestCheckpoint(
  signal: AbortSignal,
): Promise<CheckpointVerdict | null> {
  const [{ checkpoint }, { verifierKeys }] = await Promise.all([
    readPublic('/public/checkpoint', signal),
    readPublic('/public/log-key', signal),
  ])
  if (checkpoint === null) return null
  try {
    const keys = openKeys(trustKeys(verifierKeys))
    const { origin, size, root } = await openCheckpoint(checkpoint.note, keys)
    if (String(size) !== checkpoint.size) {
      const reason = `the site states ${formatCount(checkpoint.size)} events, but ${formatCount(size)} events are signed`
      return { isRight: false, matches: 1, reason }
    }
    return { isRight: true, matches: 3, origin, size, root: toHex(root) }
  } catch (error) {
    return { isRight: false, matches: 0, reason: getReason(error) }
  }
}

/** Reads the sample receipt. Returns null while no plan is on offer. */
export async function readSample(signal: AbortSignal): Promise<Sample | null> {
  const [{ receipt }, { verifierKeys }] = await Promise.all([
    readPublic('/public/sample-receipt', signal),
    readPublic('/public/log-key', signal),
  ])
  return receipt === null ? null : { file: receipt, verifierKeys }
}

/**
 * Verifies the sample receipt. With `isChanged`, first changes one character of its record. If the
 * receipt is so damaged that no hash can be computed, returns only the reason.
 */
export async function checkSample(
  { file, verifierKeys }: Sample,
  { isChanged }: { isChanged: boolean },
): Promise<SampleVerdict | { isRight: false; reason: string; hashes: null }> {
  try {
    const keys = openKeys(trustKeys(verifierKeys))
    const receipt = parseReceipt(file)
    const { size, root } = await openCheckpoint(receipt.checkpoint, keys)
    const record = splitRecord(new TextDecoder().decode(receipt.event), isChanged)
    const event = new TextEncoder().encode(record.before + record.character + record.after)
    const checked = formatReceipt({ ...receipt, event })
    const { leaf, steps } = computeProofPath(checked, size)
    const shown = {
      planName: readPlanName(receipt),
      seq: String(receipt.index),
      record,
      hashes: [leaf, ...steps.map(({ result }) => result)],
      signedRoot: toHex(root),
    }
    const reason = await findMismatch(checked, keys)
    return reason === null
      ? { ...shown, isRight: true, size }
      : { ...shown, isRight: false, reason }
  } catch (error) {
    return { isRight: false, reason: getReason(error), hashes: null }
  }
}

async function findMismatch(file: string, keys: readonly VerifierKey[]): Promise<string | null> {
  try {
    await verifyReceipt(file, keys)
    return null
  } catch (error) {
    return getReason(error)
  }
}

/**
 * Splits the record at the first digit of the profit. If `isChanged` is true, replaces this digit
 * with a different digit.
 */
function splitRecord(text: string, isChanged: boolean): RecordText {
  const found = /(?<="profitPpm":")\d/.exec(text)
  const at = found?.index ?? 0
  const digit = text.charAt(at)
  return {
    before: text.slice(0, at),
    character: isChanged ? String((Number(digit) + 1) % 10) : digit,
    after: text.slice(at + 1),
  }
}

function readPlanName({ event }: Receipt): string {
  try {
    const { data } = JSON.parse(new TextDecoder().decode(event))
    return data.terms.name ?? data.planId
  } catch {
    return 'unknown'
  }
}

/** Returns the message of a failed proof. Throws every error that is not a failed proof. */
function getReason(error: unknown): string {
  if (error instanceof ProofError) return describeReason(error)
  throw error
}
