import { readEnvelope } from '../../src/log/envelope.ts'
import type { RowOf } from '../../src/log/table.ts'
import type { refusalTable } from '../../src/log/tables.ts'
import {
  createRefusalCheck,
  type RefusalRow,
  toRefusalRow,
} from '../../src/proofs/refusal-check.ts'
import type { SimulatedDatabase } from './database.ts'
import { createFoldedBooks } from './folded-books.ts'
import { model } from './model.ts'

/**
 * Checks the stored refusals as a verification does. The result is valid only if the log and the
 * projections are correct.
 */
export async function checkRefusalChain(database: SimulatedDatabase): Promise<readonly string[]> {
  const problems: string[] = []
  const books = createFoldedBooks()
  const add = (seq: bigint | null, problem: string) => {
    problems.push(seq === null ? problem : `event ${seq} ${problem}`)
  }
  const stored = {
    pages: readPages(database),
    readHead: async () => database.getHead().refusals,
  }
  const check = createRefusalCheck(stored, { ledger: 1, model, add })
  for (const { bytes } of database.events) {
    const event = readEnvelope(bytes)
    await check.checkBefore(event, books.view)
    books.add(event)
  }
  await check.checkEnd(BigInt(database.events.length), books.view)
  return problems
}

async function* readPages({ refusals }: SimulatedDatabase): AsyncGenerator<readonly RefusalRow[]> {
  const rows = [...refusals.values()].map(toRow)
  yield rows.sort((one, other) => Number(one.copies.place - other.copies.place))
}

function toRow(row: RowOf<typeof refusalTable>): RefusalRow {
  const { bytes, place, idempotencyHash, requestHash, recordedAt, code, message, details } = row
  return toRefusalRow(bytes, {
    place,
    idempotencyHash: idempotencyHash.toString('hex'),
    requestHash: requestHash.toString('hex'),
    recordedAtMs: recordedAt,
    // The cast is safe, because the writer stores codes of refusals only.
    refusal: {
      code: code as RefusalRow['copies']['refusal']['code'],
      message,
      details: JSON.parse(details),
    },
  })
}
