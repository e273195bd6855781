import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Posting } from '@cairn/ledger-contracts'
import { openKeys, parseReceipt, verifyReceipt } from '@cairn/ledger-contracts/proof'
import { readEvent } from '../log/envelope.ts'
import { EXPORT_FORMAT, LINE_BYTES_MAX, verifyExport } from './export.ts'
import { readLines } from './line-bytes.ts'

/**
 * A lost event that the restored log lacks. An export or a receipt proves that the event was
 * recorded.
 */
export interface LostEvent {
  readonly ledger: number
  readonly seq: bigint
  readonly type: string
  readonly recordedAt: string
  readonly data: Readonly<Record<string, unknown>>
  readonly postings: readonly Posting[]
}

const FIRST_BYTES_MAX = 200
const RECEIPT_BYTES_MAX = 1_000_000

/**
 * Reads the lost events from exported logs and receipts, in their order. Throws a ProofError if no
 * known key signed a file.
 */
export async function readLostEvents(
  files: readonly string[],
  { lines, from }: { lines: readonly string[]; from: bigint },
): Promise<readonly LostEvent[]> {
  const found = new Map<bigint, LostEvent>()
  for (const file of files) {
    const events = (await isExport(file))
      ? await readExport(file, { lines, from })
      : [await readReceipt(file, lines)]
    for (const event of events) if (event.seq >= from) found.set(event.seq, event)
  }
  return [...found.values()].sort((left, right) => Number(left.seq - right.seq))
}

/** True for events that paid money out of the platform. A restore does not undo such a payment. */
export function isPayout({ type }: LostEvent): boolean {
  return type === 'WithdrawalApproved'
}

async function isExport(file: string): Promise<boolean> {
  for await (const chunk of createReadStream(file, { end: FIRST_BYTES_MAX })) {
    return String(chunk).includes(EXPORT_FORMAT)
  }
  return false
}

async function readExport(
  file: string,
  { lines, from }: { lines: readonly string[]; from: bigint },
): Promise<readonly LostEvent[]> {
  const { origin } = await verifyExport(file, { trustedKeys: lines })
  const events: LostEvent[] = []
  let seq = -1n
  for await (const line of readLines(file, { maxBytes: LINE_BYTES_MAX })) {
    if (seq >= from) events.push(toLostEvent(line, origin))
    seq += 1n
  }
  return events
}

async function readReceipt(file: string, lines: readonly string[]): Promise<LostEvent> {
  const bytes = await readFile(file)
  if (bytes.length > RECEIPT_BYTES_MAX) throw new Error(`${file} is too large for a receipt`)
  const receipt = bytes.toString('utf8')
  const { checkpoint } = await verifyReceipt(receipt, openKeys(lines))
  return toLostEvent(Buffer.from(parseReceipt(receipt).event), checkpoint.origin)
}

/** The name of a log ends with the number of its ledger, or with `1.2` after a loss of events. */
function toLostEvent(bytes: Buffer, origin: string): LostEvent {
  const { seq, type, recordedAt, data, postings } = readEvent(bytes)
  const ledger = Number.parseInt(origin.slice(origin.lastIndexOf('/') + 1), 10)
  return { ledger, seq, type, recordedAt, data, postings }
}
