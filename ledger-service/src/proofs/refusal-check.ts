import { isSameCanonicalJson } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { decideCommand } from '../log/decide.ts'
import { getRequestHash, hashIdempotencyKey, type StoredEvent } from '../log/envelope.ts'
import type { Model, Refusal } from '../log/model.ts'
import {
  decodeRefusal,
  EMPTY_CHAIN,
  extendChain,
  type RefusalChain,
  type StoredRefusal,
} from '../log/refusal-chain.ts'
import type { View } from '../log/view.ts'
import { copyRows } from '../service/database/copy-rows.ts'
import { createLinkedRefusalCheck } from './linked-refusals.ts'
import type { CheckedRefusals } from './verified-state.ts'

/** A row of `ledger.refusal`. */
export interface RefusalRow {
  bytes: Buffer
  /** Null if the bytes cannot be decoded. */
  stored: StoredRefusal | null
  /** The columns that copy parts of the bytes. */
  copies: {
    place: bigint
    idempotencyHash: string
    requestHash: string
    recordedAtMs: number
    refusal: Refusal
  }
}

export interface RefusalCheck {
  /**
   * Decides again the refusals that were decided just before the event. Returns a promise only if
   * it must read more rows.
   */
  checkBefore(event: StoredEvent, view: View): Promise<void> | undefined
  /** Decides the refusals after the last event again, and compares their chain with the head. */
  checkEnd(size: bigint, view: View): Promise<void>
  /** Returns the refusals that were decided again so far. */
  getChecked(): CheckedRefusals
}

/** The stored refusals of a ledger in their order, and the chain in its head. */
export interface StoredRefusals {
  pages: AsyncGenerator<readonly RefusalRow[]>
  readHead(): Promise<RefusalChain>
}

const NONE_CHECKED: CheckedRefusals = { ...EMPTY_CHAIN, isSealed: true }

/**
 * Decides each stored refusal again, on the state on which the refusal was originally decided.
 * Compares the chain of refusals with the hashes in the events.
 */
export function createRefusalCheck(
  { pages, readHead }: StoredRefusals,
  options: {
    ledger: number
    model: Model
    /** Adds a problem of an event. For a problem of a refusal, `seq` is null. */
    add(seq: bigint | null, problem: string): void
    /** The refusals before `pages`, which an earlier verification has decided again. */
    from?: CheckedRefusals
  },
): RefusalCheck {
  const { ledger, model, add, from = NONE_CHECKED } = options
  const rows = createPagedReader(pages)
  const linked = createLinkedRefusalCheck({
    model,
    add: (place, problem) => add(null, `refusal ${place} ${problem}`),
  })
  let chain: RefusalChain = from
  let isSealed = from.isSealed

  function checkRow(row: RefusalRow, state: { size: bigint; view: View }): void {
    const problem = findProblem(row, { ...state, ledger, place: chain.count, model })
    if (problem !== null) add(null, `refusal ${row.copies.place} ${problem}`)
    if (row.stored !== null) linked.check(row.stored, state.view)
    chain = extendChain(chain, row.bytes)
    isSealed = false
  }

  /**
   * Checks the rows that were decided on the state after `size` events. Returns false if it must
   * read more rows.
   */
  function checkRead(size: bigint, view: View): boolean {
    for (;;) {
      const row = rows.peekRow()
      if (row === undefined) return rows.isOver()
      if ((row.stored?.size ?? 0n) > size) return true
      checkRow(row, { size, view })
      rows.skipRow()
    }
  }

  async function checkRefusals(size: bigint, view: View): Promise<void> {
    while (!checkRead(size, view)) await rows.readMore()
  }

  function checkSeal({ seq, refusals }: StoredEvent): void {
    linked.checkEnd()
    const isWrong = refusals === null ? !isSealed : refusals !== chain.hash.toString('base64url')
    if (isWrong) add(seq, 'does not contain the hash of the refusals before it')
    isSealed = true
  }

  return {
    getChecked: () => ({ count: chain.count, hash: chain.hash, isSealed }),
    checkBefore: (event, view) => {
      if (!checkRead(event.seq, view))
        return checkRefusals(event.seq, view).then(() => checkSeal(event))
      checkSeal(event)
      return undefined
    },
    checkEnd: async (size, view) => {
      await checkRefusals(size, view)
      linked.checkEnd()
      const beyond = await rows.countRemainingRefusals()
      if (beyond > 0) add(null, `${beyond} refusals were decided on events that are not in the log`)
      const { count, hash } = await readHead()
      if (count !== chain.count || !hash.equals(chain.hash)) {
        add(
          null,
          `the ${chain.count} stored refusals differ from the ${count} refusals that the head covers`,
        )
      }
    },
  }
}

/** Returns a reader that gives the rows of all pages one at a time. */
function createPagedReader(pages: AsyncGenerator<readonly RefusalRow[]>) {
  let page: readonly RefusalRow[] = []
  let next = 0
  let isOver = false
  async function readMore(): Promise<void> {
    const { value, done = false } = await pages.next()
    page = done ? [] : value
    next = 0
    isOver = done
  }
  return {
    peekRow: () => page[next],
    skipRow: () => {
      next += 1
    },
    isOver: () => isOver,
    readMore,
    countRemainingRefusals: async () => {
      let count = page.length - next
      while (!isOver) {
        await readMore()
        count += page.length
      }
      return count
    },
  }
}

interface Expected {
  ledger: number
  place: bigint
  size: bigint
  model: Model
  view: View
}

/** Returns null if the row is in the right place and its command leads to exactly this refusal. */
function findProblem({ stored, copies }: RefusalRow, expected: Expected): string | null {
  if (stored === null) return 'cannot be decoded'
  const { ledger, place, size } = stored
  if (ledger !== expected.ledger || place !== expected.place) return 'is not in its place'
  if (size !== expected.size) return 'comes after a refusal that was decided later'
  if (!isSameCanonicalJson(listCopies(stored), copies)) {
    return 'has columns that differ from the bytes'
  }
  // A refused group of linked commands is decided again as a whole, by `createLinkedRefusalCheck`.
  if (stored.linked !== null) return null
  try {
    return isSameRefusal(stored, expected)
      ? null
      : 'gives a different answer when it is decided again'
  } catch (error) {
    return `cannot be decided again: ${error instanceof Error ? error.message : error}`
  }
}

function listCopies({
  place,
  recordedAtMs,
  command,
  refusal,
}: StoredRefusal): RefusalRow['copies'] {
  return {
    place,
    idempotencyHash: hashIdempotencyKey(command)?.toString('hex') ?? '',
    requestHash: getRequestHash(command).toString('hex'),
    recordedAtMs,
    refusal,
  }
}

function isSameRefusal(
  { command, recordedAtMs, refusal }: StoredRefusal,
  { model, view }: Expected,
): boolean {
  const hashed = { command, requestHash: getRequestHash(command) }
  const decision = decideCommand(model, hashed, view, recordedAtMs)
  return 'refusal' in decision && isSameCanonicalJson(decision.refusal, refusal)
}

/**
 * Reads the refusals from the place `from` on, in the snapshot of the client. Nothing else may use
 * the client at the same time.
 */
export function readRefusals(
  client: pg.ClientBase,
  { ledger, from = 0n }: { ledger: number; from?: bigint | undefined },
): StoredRefusals {
  const select = `select place, idempotency_hash, request_hash, recorded_at, code, message,
      details::text, bytes
    from ledger.refusal where ledger_id = ${Number(ledger)} and place >= ${BigInt(from)} order by place`
  return {
    pages: copyRows(client, select, (row) => {
      const copies = {
        place: row.readInt8(),
        idempotencyHash: row.readHex(),
        requestHash: row.readHex(),
        recordedAtMs: row.readMicroseconds() / 1_000,
        refusal: {
          // The cast is safe because an unknown code differs from the code in the bytes.
          code: row.readText() as Refusal['code'],
          message: row.readText(),
          details: JSON.parse(row.readText()),
        },
      }
      return toRefusalRow(Buffer.from(row.readBytes()), copies)
    }),
    readHead: async () => {
      const { rows } = await client.query<RefusalChain>(
        'select refusal_count as count, refusal_hash as hash from ledger.head where ledger_id = $1',
        [ledger],
      )
      return rows[0] ?? EMPTY_CHAIN
    },
  }
}

export function toRefusalRow(bytes: Buffer, copies: RefusalRow['copies']): RefusalRow {
  try {
    return { bytes, copies, stored: decodeRefusal(bytes) }
  } catch {
    return { bytes, copies, stored: null }
  }
}
