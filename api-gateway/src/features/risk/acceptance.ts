import type { RiskAcceptance } from '@cairn/gateway-contracts'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { getUserRow } from '../users/index.ts'
import { findRiskTextFor } from './risk-text.ts'

interface Tick {
  investmentId: string
  userId: string
  version: string
  nowMs: number
}

/**
 * Stores that the user accepted the risk warning. The function runs before the investment is
 * requested, so that no investment lacks the acceptance. Throws 409 if the version is not in force
 * for the user's country. An acceptance that an earlier attempt of the same request stored stays
 * valid: only the ledger knows whether that attempt has opened the investment.
 */
export async function acceptRisk(
  deps: Pick<Dependencies, 'db' | 'settings'>,
  tick: Tick,
): Promise<void> {
  if (await isAccepted(deps.db, tick)) return
  const [{ general }, { country }] = await Promise.all([
    deps.settings.read(),
    getUserRow(deps.db, tick.userId),
  ])
  const { text, version } = findRiskTextFor(general, country)
  if (version !== tick.version) {
    const message = 'The risk warning has changed; read it again'
    throw new HttpFailure(409, 'RISK_TEXT_CHANGED', message)
  }
  const row = {
    investment_id: tick.investmentId,
    user_id: tick.userId,
    version,
    country,
    accepted_at: new Date(tick.nowMs),
  }
  await deps.db.transaction().execute(async (trx) => {
    await trx
      .insertInto('platform.risk_text')
      .values({ version, text })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await trx
      .insertInto('platform.risk_acceptance')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

async function isAccepted(db: Database, { investmentId, userId, version }: Tick): Promise<boolean> {
  const row = await db
    .selectFrom('platform.risk_acceptance')
    .select('investment_id')
    .where('investment_id', '=', investmentId)
    .where('user_id', '=', userId)
    .where('version', '=', version)
    .executeTakeFirst()
  return row !== undefined
}

export async function findAcceptance(
  db: Database,
  investmentId: string,
): Promise<RiskAcceptance | null> {
  const row = await db
    .selectFrom('platform.risk_acceptance as acceptance')
    .innerJoin('platform.risk_text as said', 'said.version', 'acceptance.version')
    .select(['said.version', 'said.text', 'acceptance.country', 'acceptance.accepted_at'])
    .where('acceptance.investment_id', '=', investmentId)
    .executeTakeFirst()
  if (row === undefined) return null
  const { accepted_at, ...rest } = row
  return { ...rest, acceptedAt: accepted_at.toISOString() }
}
