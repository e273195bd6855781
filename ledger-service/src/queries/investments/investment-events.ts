import { account, type QueryResponse } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { readEvent } from '../../log/envelope.ts'

const EVENTS_MAX = 500

/** Returns the events of one investment, which are found by the accounts of their postings. */
export async function listInvestmentEvents(
  pool: pg.Pool,
  { ledger, investmentId }: { ledger: number; investmentId: string },
): Promise<QueryResponse<'investmentEvents'>> {
  const found = await pool.query<{ investor_id: string; seq: bigint; last_seq: bigint }>(
    `select investor_id, seq, last_seq from ledger.investment
     where ledger_id = $1 and investment_id = $2`,
    [ledger, investmentId],
  )
  const [investment] = found.rows
  if (investment === undefined) return { events: [], isCut: false }
  const { investor_id: investorId, seq, last_seq: lastSeq } = investment
  const accounts = [
    account.getAvailableCode(investorId, 'profit'),
    account.getPrincipalCode(investorId),
  ]
  const { rows } = await pool.query<{ bytes: Buffer }>(
    `select bytes from ledger.event
     where ledger_id = $1 and seq in (
       select seq from ledger.posting
       where ledger_id = $1 and account = any($2) and seq between $3 and $4)
       and position($5 in convert_from(bytes, 'UTF8')) > 0
     order by seq desc limit $6`,
    [ledger, accounts, seq, lastSeq, `"investmentId":"${investmentId}"`, EVENTS_MAX + 1],
  )
  const isCut = rows.length > EVENTS_MAX
  const events = rows.slice(0, EVENTS_MAX).map(({ bytes }) => readEvent(bytes))
  return { events: [...(isCut ? [await readFirstEvent()] : []), ...events.toReversed()], isCut }

  async function readFirstEvent() {
    const opened = await pool.query<{ bytes: Buffer }>(
      'select bytes from ledger.event where ledger_id = $1 and seq = $2',
      [ledger, seq],
    )
    const bytes = opened.rows[0]?.bytes
    if (bytes === undefined) throw new Error(`investment ${investmentId} has no first event`)
    return readEvent(bytes)
  }
}
