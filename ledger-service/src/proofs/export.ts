import { open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import {
  Asset,
  DEFAULT_CURRENCY,
  getTotalName,
  parsePostings,
  sumByAsset,
} from '@cairn/ledger-contracts'
import { openCheckpoint, openKeys, ProofError } from '@cairn/ledger-contracts/proof'
import type pg from 'pg'
import { append, computeRoot, EMPTY_FRONTIER, hashLeaf } from '../log/merkle.ts'
import { readLines } from './line-bytes.ts'

/**
 * The first line of an exported log. The other lines are the canonical bytes of the events, so that
 * the file can be verified without the database.
 */
interface ExportHeader {
  format: 'cairn-log-export/1'
  checkpoint: string
  verifierKeys: readonly string[]
}

export const EXPORT_FORMAT = 'cairn-log-export/1'
const PAGE = 2_000
/** Limits the memory for a file without line breaks. An event has only a few kilobytes. */
export const LINE_BYTES_MAX = 16_777_216
const NEWLINE = Buffer.from('\n')

interface ExportOptions {
  ledger: number
  /** The file to write. It must not exist. */
  file: string
  checkpoint: { size: bigint; note: string }
  verifierKeys: readonly string[]
  onProgress?: (done: bigint, of: bigint) => void
}

/** Writes the signed events and returns their number. If this fails, no file is left. */
export async function exportLog(pool: pg.Pool, options: ExportOptions): Promise<bigint> {
  const { file, checkpoint } = options
  // Opening throws if the file exists, which then stays as it is.
  const handle = await open(file, 'wx')
  try {
    await pipeline(readExportedLines(pool, options), handle.createWriteStream({ flush: true }))
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
  return checkpoint.size
}

async function* readExportedLines(
  pool: pg.Pool,
  { ledger, checkpoint, verifierKeys, onProgress }: ExportOptions,
): AsyncGenerator<Buffer> {
  const header: ExportHeader = { format: EXPORT_FORMAT, checkpoint: checkpoint.note, verifierKeys }
  yield Buffer.from(`${JSON.stringify(header)}\n`)
  let next = 0n
  while (next < checkpoint.size) {
    const { rows } = await pool.query<{ bytes: Buffer }>({
      name: 'export-page',
      text: `select bytes from ledger.event where ledger_id = $1 and seq >= $2 and seq < $3
             order by seq limit $4`,
      values: [ledger, next, checkpoint.size, PAGE],
    })
    if (rows.length === 0) throw new Error(`event ${next} is missing; run verify`)
    yield Buffer.concat(rows.flatMap(({ bytes }) => [bytes, NEWLINE]))
    next += BigInt(rows.length)
    onProgress?.(next, checkpoint.size)
  }
}

export interface VerifiedExport {
  events: bigint
  origin: string
  /** The sum of each account kind and asset over the whole log. */
  trialBalance: ReadonlyMap<string, bigint>
  /** The asset of account kinds whose name contains no asset. */
  currency: Asset
}

/**
 * Returns the facts that the file proves. Throws a ProofError if the file is not valid. Signatures
 * are verified with `trustedKeys`, or, without trusted keys, with the keys in the file.
 */
export async function verifyExport(
  file: string,
  options: {
    trustedKeys?: readonly string[]
    onProgress?: (done: bigint, of: bigint) => void
  } = {},
): Promise<VerifiedExport> {
  const trialBalance = new Map<string, bigint>()
  let currency = DEFAULT_CURRENCY
  let frontier = EMPTY_FRONTIER
  let header: ExportHeader | null = null
  for await (const line of readLines(file, { maxBytes: LINE_BYTES_MAX })) {
    if (header === null) {
      header = readHeader(line.toString('utf8'))
      continue
    }
    const event = readEvent(line.toString('utf8'), frontier.size)
    addPostings(trialBalance, event, frontier.size)
    currency = findChosenCurrency(event, frontier.size) ?? currency
    frontier = append(frontier, hashLeaf(line)).frontier
    if (frontier.size % BigInt(PAGE) === 0n) options.onProgress?.(frontier.size, frontier.size)
  }
  if (header === null) throw new ProofError('the file is empty')
  const keys = openKeys(options.trustedKeys ?? header.verifierKeys)
  const { size, root, origin } = await openCheckpoint(header.checkpoint, keys)
  if (size !== frontier.size) {
    throw new ProofError(`${size} events were signed, but the file contains ${frontier.size}`)
  }
  if (!computeRoot(frontier).equals(root)) {
    throw new ProofError('the events in the file differ from the signed events')
  }
  return { events: size, origin, trialBalance, currency }
}

function readHeader(line: string): ExportHeader {
  try {
    const header: ExportHeader = JSON.parse(line)
    if (header.format === EXPORT_FORMAT) return header
  } catch {
    // The error after this block covers invalid JSON.
  }
  throw new ProofError('this is not an exported log')
}

/** The properties of an event that are read before its hash is compared. */
interface ExportedEvent {
  seq?: unknown
  type?: unknown
  data?: { asset?: unknown }
  postings: readonly string[]
}

function readEvent(line: string, seq: bigint): ExportedEvent {
  try {
    return JSON.parse(line)
  } catch {
    throw new ProofError(`event ${seq} is not valid JSON`)
  }
}

/** Returns the currency that the event chooses; null for other events. */
function findChosenCurrency({ type, data }: ExportedEvent, seq: bigint): Asset | null {
  if (type !== 'CurrencyChosen') return null
  const { success, data: asset } = Asset.safeParse(data?.asset)
  if (success) return asset
  throw new ProofError(`event ${seq} has a currency that is not readable`)
}

function addPostings(totals: Map<string, bigint>, event: ExportedEvent, seq: bigint): void {
  if (event.seq !== String(seq)) {
    throw new ProofError(`where event ${seq} should be, the file has event ${event.seq}`)
  }
  const postings = readPostings(event, seq)
  for (const { account, amountMinor } of postings) {
    const name = getTotalName(account)
    totals.set(name, (totals.get(name) ?? 0n) + amountMinor)
  }
  const amounts = postings.map(({ account, amountMinor }) => [account, amountMinor] as const)
  const sum = [...sumByAsset(amounts).values()].find((total) => total !== 0n)
  if (sum !== undefined)
    throw new ProofError(`event ${seq}: its postings add up to ${sum}, not to zero`)
}

function readPostings({ postings }: ExportedEvent, seq: bigint) {
  try {
    return parsePostings(postings)
  } catch {
    throw new ProofError(`event ${seq} has a posting that is not readable`)
  }
}
