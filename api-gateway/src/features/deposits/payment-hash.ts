import type { PayOption } from '@cairn/gateway-contracts'
import type { LedgerTransaction } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createInvalidFieldFailure } from '../../platform/http/failure.ts'
import { findNetwork } from '../payment-options/index.ts'

const COMPARED_MAX = 20

/**
 * The data that the investor stated about a crypto payment, and the URL of the payment in a block
 * explorer.
 */
export interface Payment {
  hash: string
  network: string
  url: string | null
}

/**
 * Returns the hash in its normalised form; null if the caller sent no hash. Throws 400 if the
 * payment cannot have this hash.
 */
export async function requirePaymentHash(
  { db }: Pick<Dependencies, 'db'>,
  given: { hash: string | undefined; payOption: PayOption; paymentOptionId: string | null },
): Promise<string | null> {
  const { hash, payOption, paymentOptionId } = given
  if (hash === undefined) return null
  if (payOption !== 'Crypto Wallet') {
    throw createInvalidFieldFailure('tx_hash', 'Only a payment in a coin has a transaction hash')
  }
  const option = paymentOptionId === null ? null : await findOption(db, paymentOptionId)
  const normal = normaliseHash(option?.bank ?? '', hash)
  if (normal !== null) return normal
  const message = `This is not the hash of a transaction on ${option?.bank ?? 'its network'}`
  throw createInvalidFieldFailure('tx_hash', `${message}. Copy it from your wallet.`)
}

/**
 * Normalises the hash, so that a search finds equal hashes. Returns null if the text is not a
 * transaction hash of the network.
 */
export function normaliseHash(network: string, hash: string): string | null {
  switch (findNetwork(network)) {
    case 'bitcoin':
    case 'tron':
      return /^[0-9a-f]{64}$/i.test(hash) ? hash.toLowerCase() : null
    case 'ethereum':
      return /^0x[0-9a-f]{64}$/i.test(hash) ? hash.toLowerCase() : null
    case null:
      return /^[0-9A-Za-z]{16,128}$/.test(hash) ? hash : null
  }
}

/**
 * Stores the hash before the deposit is requested. Another call may replace the hash only if the
 * ledger has not recorded the deposit.
 */
export async function storePaymentHash(
  { db, ledger }: Pick<Dependencies, 'db' | 'ledger'>,
  said: { transactionId: string; userId: string; hash: string | null; nowMs: number },
): Promise<void> {
  const { transactionId, userId, hash, nowMs } = said
  const known = await db
    .selectFrom('platform.deposit_hash')
    .select('hash')
    .where('transaction_id', '=', transactionId)
    .executeTakeFirst()
  if ((known?.hash ?? null) === hash) return
  if (known !== undefined) {
    const { transaction } = await ledger.ask('transaction', { transactionId })
    if (transaction !== null) return
    await db
      .deleteFrom('platform.deposit_hash')
      .where('transaction_id', '=', transactionId)
      .execute()
  }
  if (hash === null) return
  await db
    .insertInto('platform.deposit_hash')
    .values({ transaction_id: transactionId, user_id: userId, hash, created_at: new Date(nowMs) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findPayment(
  db: Database,
  { transactionId, paymentOptionId, type }: LedgerTransaction,
): Promise<Payment | null> {
  if (type !== 'deposit') return null
  const deposit = await db
    .selectFrom('platform.deposit_hash')
    .select('hash')
    .where('transaction_id', '=', transactionId)
    .executeTakeFirst()
  if (deposit === undefined) return null
  const option = paymentOptionId === null ? null : await findOption(db, paymentOptionId)
  const { hash } = deposit
  const url = option?.explorer_url?.replaceAll('{hash}', encodeURIComponent(hash)) ?? null
  return { hash, network: option?.bank ?? '', url }
}

/**
 * Finds the deposits of all users that have this payment hash, except the deposit `transactionId`.
 */
export async function findSameHash(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  { transactionId }: LedgerTransaction,
  payment: Payment | null,
): Promise<LedgerTransaction[]> {
  if (payment === null) return []
  const rows = await deps.db
    .selectFrom('platform.deposit_hash')
    .select('transaction_id')
    .where('hash', '=', payment.hash)
    .where('transaction_id', '<>', transactionId)
    .orderBy('created_at')
    .limit(COMPARED_MAX)
    .execute()
  const found = await Promise.all(
    rows.map((row) => deps.ledger.ask('transaction', { transactionId: row.transaction_id })),
  )
  // A hash without a transaction belongs to a refused deposit and is skipped.
  return found.flatMap(({ transaction }) => transaction ?? [])
}

/**
 * Returns the ids of the deposits whose payment hash another deposit also has. Looks at no more
 * deposits of each hash than the details show.
 */
export async function findRepeatedHashes(
  { db, ledger }: Pick<Dependencies, 'db' | 'ledger'>,
  transactionIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (transactionIds.length === 0) return new Set()
  const { rows } = await sql<{ id: string; others: string[] }>`
    select own.transaction_id as id, array(
      select other.transaction_id from platform.deposit_hash as other
      where other.hash = own.hash and other.transaction_id <> own.transaction_id
      order by other.created_at limit ${COMPARED_MAX}
    ) as others
    from platform.deposit_hash as own
    where own.transaction_id = any(${transactionIds})`.execute(db)
  const repeated = await Promise.all(
    rows.map(async ({ id, others }) => ((await hasTransaction(ledger, others)) ? [id] : [])),
  )
  return new Set(repeated.flat())
}

/** Returns true if the ledger has one of the transactions. A refused deposit has none. */
async function hasTransaction(
  ledger: Dependencies['ledger'],
  transactionIds: readonly string[],
): Promise<boolean> {
  for (const transactionId of transactionIds) {
    const { transaction } = await ledger.ask('transaction', { transactionId })
    if (transaction !== null) return true
  }
  return false
}

/** Finds a payment option, including archived options, because deposits refer to them. */
async function findOption(db: Database, id: string) {
  const found = await db
    .selectFrom('platform.payment_option')
    .select(['bank', 'explorer_url'])
    .where('id', '=', id)
    .executeTakeFirst()
  return found ?? null
}
