import type { QueryResponse } from '@cairn/ledger-contracts'
import type pg from 'pg'

interface Row {
  investor_id: string
  investments: bigint
  earned: string
}

/** Returns the bonuses from each of these referred investors, less returned bonuses. */
export async function listReferralEarnings(
  pool: pg.Pool,
  {
    ledger,
    referrerId,
    investorIds,
  }: { ledger: number; referrerId: string; investorIds: readonly string[] },
): Promise<QueryResponse<'referralEarnings'>> {
  const { rows } = await pool.query<Row>(
    `select invested.investor_id,
       count(*) filter (where moved.purpose = 'referral-bonus') as investments,
       sum(case moved.purpose when 'referral-bonus' then 1 else -1 end * moved.amount_minor)::text
         as earned
     from ledger.transaction moved
     join ledger.investment invested using (ledger_id, investment_id)
     where ledger_id = $1 and moved.investor_id = $2
       and moved.purpose in ('referral-bonus', 'bonus-return')
       and invested.investor_id = any($3)
     group by invested.investor_id order by invested.investor_id`,
    [ledger, referrerId, investorIds],
  )
  return {
    earnings: rows.map(({ investor_id, investments, earned }) => ({
      investorId: investor_id,
      investments: Number(investments),
      earnedMinor: BigInt(earned),
    })),
  }
}
