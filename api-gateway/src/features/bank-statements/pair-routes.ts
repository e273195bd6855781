import { type BankLine, matchBankLine, unmatchBankLine } from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createNotFoundFailure, HttpFailure } from '../../platform/http/failure.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import { findLine } from './lines.ts'

export async function getLine(
  db: Database,
  id: string,
): Promise<{ line: BankLine; option: string }> {
  const found = await findLine(db, id)
  if (found === null) throw createNotFoundFailure('There is no such line of a statement')
  return found
}

/**
 * Creates the route that matches a line manually and the route that undoes a match. Both routes
 * require a reason.
 */
export function createPairRoutes({ db }: Dependencies): readonly Route[] {
  return [
    declareRoute(
      matchBankLine,
      { rate: 'write', owner: 'any', audit: 'bank-line.match' },
      async ({ params, body }, exchange) => {
        const { option, line } = await getLine(db, params.id)
        if (line.match !== null) {
          if (line.match.movement.seq === body.seq) return { line }
          throw new HttpFailure(
            409,
            'MATCHED',
            `The line is matched with event ${line.match.movement.seq}`,
          )
        }
        const { userId } = getCaller(exchange)
        await insertMatch(db, { option, lineId: line.id, ...body, userId, nowMs: exchange.nowMs })
        exchange.note({ subject: line.id, option, movement: body.seq, reason: body.reason })
        return { line: (await getLine(db, line.id)).line }
      },
    ),
    declareRoute(
      unmatchBankLine,
      { rate: 'write', owner: 'any', audit: 'bank-line.unmatch' },
      async ({ params, body }, exchange) => {
        const { option, line } = await getLine(db, params.id)
        await db.deleteFrom('platform.bank_match').where('line_id', '=', line.id).execute()
        const movement = line.match?.movement.seq ?? null
        exchange.note({ subject: line.id, option, movement, reason: body.reason })
        return { line: (await getLine(db, line.id)).line }
      },
    ),
  ]
}

async function insertMatch(
  db: Database,
  match: {
    option: string
    lineId: string
    seq: string
    reason: string
    userId: string
    nowMs: number
  },
): Promise<void> {
  const { option, lineId, seq, reason, userId, nowMs } = match
  const movement = await db
    .selectFrom('platform.cash_movement')
    .select('seq')
    .where('option', '=', option)
    .where('seq', '=', seq)
    .executeTakeFirst()
  if (movement === undefined)
    throw createNotFoundFailure(`Event ${seq} moved no money in this account`)
  const { numAffectedRows } = await sql`
    insert into platform.bank_match (line_id, option, seq, matched_by, reason, matched_at)
    values (${lineId}, ${option}, ${seq}, ${userId}, ${reason}, ${new Date(nowMs)})
    on conflict do nothing
  `.execute(db)
  if (numAffectedRows === 1n) return
  throw new HttpFailure(409, 'MATCHED', 'Already matched to another line')
}
