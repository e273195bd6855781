import { type Asset, DEFAULT_CURRENCY } from '@cairn/ledger-contracts'
import type pg from 'pg'

/**
 * Returns the asset of accounts whose code contains no asset. This asset cannot change after money
 * has moved in such an account. The present asset is therefore also correct for each past time.
 */
export async function readCurrency(
  pool: Pick<pg.ClientBase, 'query'>,
  ledger: number,
): Promise<Asset> {
  const { rows } = await pool.query<{ asset: Asset }>(
    'select asset from ledger.currency where ledger_id = $1',
    [ledger],
  )
  return rows[0]?.asset ?? DEFAULT_CURRENCY
}
