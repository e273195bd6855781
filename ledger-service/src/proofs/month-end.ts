import { randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Answer, Command } from '@cairn/ledger-contracts'
import { formatTrialBalance, openKeys, openTrialBalance } from '@cairn/ledger-contracts/proof'
import type { Clock } from '@cairn/service-kit/clock'
import { createFile, replaceFile } from '@cairn/service-kit/durable-file'
import type pg from 'pg'
import { getFollowingMonth, getMonth, getMonthEndMs } from '../domain/months/month.ts'
import type { Table } from '../log/table.ts'
import { findSeqAt } from '../queries/accounts/balances.ts'
import { computeTrialBalanceAt } from '../queries/accounts/past-totals.ts'
import { confirmVisible } from '../service/database/confirmed.ts'
import { confirmOnOwner, withOwnerPool } from '../service/database/owner-pool.ts'
import { connectOutsidePool } from '../service/database/pool.ts'
import type { LogKey } from './log-key.ts'
import { listVerifierKeys } from './log-keys.ts'
import { computeHeadAt } from './prove.ts'
import { withSigningKey } from './signing-lock.ts'
import { exportSnapshot } from './snapshot.ts'
import { computeStoredStateRoot } from './state-root.ts'

interface MonthEndOptions {
  ledger: number
  pool: pg.Pool
  key: LogKey
  checkpointDir: string
  clock: Clock
  /** The tables of the projections. */
  tables: readonly Table[]
  /** Submits a command to the writer of the ledger. */
  submit(command: Command): Promise<Answer>
}

/**
 * The time between the end of a month and its signature. A batch that was decided in the month can
 * be committed after the end of the month.
 */
const CLOSING_DELAY_MS = 60_000
const MONTHS_PER_CALL_MAX = 24
const SUMMING_TIMEOUT_MS = 600_000

/**
 * Signs the trial balance of each ended month, oldest first, and returns these months. The call can
 * be repeated, because it skips signed months.
 */
export async function closeMonths(options: MonthEndOptions): Promise<readonly string[]> {
  const { ledger, pool, clock } = options
  const closed: string[] = []
  for (
    let month = await getNextMonth(pool, ledger);
    month !== null;
    month = getFollowingMonth(month)
  ) {
    const isEnded = getMonthEndMs(month) + CLOSING_DELAY_MS <= clock.now()
    if (!isEnded || closed.length === MONTHS_PER_CALL_MAX) break
    await closeMonth(options, month)
    closed.push(month)
  }
  await recordClosedMonths(options)
  return closed
}

/**
 * Records an event for each signed month that has no event, oldest first. All events of one call
 * contain the root of one state. This state is at least as new as the end of each month.
 */
async function recordClosedMonths(options: MonthEndOptions): Promise<void> {
  const { ledger, pool, submit } = options
  const { rows } = await pool.query<{ note: string }>(
    `select note from ledger.trial_balance where ledger_id = $1 and month >
       coalesce((select month from ledger.month_close where ledger_id = $1), '')
     order by month`,
    [ledger],
  )
  if (rows.length === 0) return
  const keys = openKeys([...(await listVerifierKeys(pool, ledger))])
  const state = await readState(options)
  for (const { note } of rows) {
    const { month, checkpoint, totals } = await openTrialBalance(note, keys)
    const answer = await submit({
      type: 'CloseMonth',
      data: {
        month,
        size: Number(checkpoint.size),
        root: Buffer.from(checkpoint.root).toString('hex'),
        totals: Object.fromEntries(totals),
        state,
      },
      actor: 'system:ledger',
      key: null,
      requestId: null,
      effectiveAt: null,
    })
    // Since this call read the months, a concurrent call has closed this month.
    if (answer.outcome === 'refused' && answer.code === 'MONTH_CONFLICT') continue
    if (answer.outcome === 'recorded') continue
    throw new Error(`the event of ${month} was not recorded: ${answer.message}`)
  }
}

/**
 * Computes the root of all projections in one snapshot. Returns after all commits that the snapshot
 * contains are durable.
 */
function readState(options: MonthEndOptions) {
  return withOwnerPool(options.pool, options.ledger, (pool) => readStateOn({ ...options, pool }))
}

async function readStateOn({ ledger, pool, tables }: MonthEndOptions) {
  const client = await connectOutsidePool(pool)
  try {
    await exportSnapshot(client)
    const { rows } = await client.query<{ size: bigint }>(
      'select size from ledger.head where ledger_id = $1',
      [ledger],
    )
    const salt = randomBytes(32)
    const root = await computeStoredStateRoot(client, { ledger, tables, salt })
    await confirmVisible(pool)
    return {
      size: Number(rows[0]?.size ?? 0n),
      salt: salt.toString('hex'),
      root: root.toString('hex'),
    }
  } finally {
    await client.end()
  }
}

/**
 * Writes the file before the database row. If the file already exists, an earlier attempt has
 * written it, and its note is used.
 */
async function closeMonth(options: MonthEndOptions, month: string): Promise<void> {
  const { ledger } = options
  const { size, root, extension } = await computeMonthEnd(options, month)
  await withSigningKey(options, async (client, key, nowMs) => {
    const note = key.signCheckpoint({ size, root, extension })
    const file = join(options.checkpointDir, getMonthFileName(key.origin, month))
    await mkdir(options.checkpointDir, { recursive: true })
    const storedNote = await storeNote(file, note)
    if (getSignedText(storedNote) !== getSignedText(note)) {
      throw new Error(
        `${file} differs from the log: run verify to find out whether the file or the log was changed`,
      )
    }
    await client.query(
      `insert into ledger.trial_balance (ledger_id, month, size, note, signed_at)
       values ($1, $2, $3, $4, $5) on conflict do nothing`,
      [ledger, month, size, storedNote, new Date(nowMs).toISOString()],
    )
  })
}

/** Returns the note in the file, which is the given note if the file is new or incomplete. */
async function storeNote(file: string, note: string): Promise<string> {
  if (await createFile(file, note)) return note
  const stored = await readFile(file, 'utf8')
  // An earlier release wrote the file in place, and a full disk left only the beginning of the note.
  if (stored === note || !note.startsWith(stored)) return stored
  await replaceFile(file, note)
  return note
}

/** Returns what the note of a month states. What it states is durable. */
async function computeMonthEnd(
  { ledger, pool }: MonthEndOptions,
  month: string,
): Promise<{ size: bigint; root: Buffer; extension: readonly string[] }> {
  const seq = await findSeqAt(pool, { ledger, atMs: getMonthEndMs(month) - 1 })
  const size = seq + 1n
  const { root } = await computeHeadAt(pool, { ledger, size })
  const extension = formatTrialBalance(month, await sumPostingsAt(pool, { ledger, seq }))
  await confirmOnOwner(pool, ledger)
  return { size, root: Buffer.from(root, 'hex'), extension }
}

/**
 * Sums all postings. The timeout is longer than the timeout of other queries, because all rows are
 * read.
 */
async function sumPostingsAt(
  pool: pg.Pool,
  place: { ledger: number; seq: bigint },
): Promise<ReadonlyMap<string, bigint>> {
  const client = await pool.connect()
  try {
    await client.query(`begin read only; set local statement_timeout = ${SUMMING_TIMEOUT_MS}`)
    return await computeTrialBalanceAt(client, place)
  } finally {
    await client.query('rollback').catch(() => {})
    client.release()
  }
}

/**
 * Returns the name of the file with the signed trial balance of a month. The file name contains the
 * end of the log's name: the number of the ledger, or a text such as `1.2` after a loss of events.
 * If a month is signed again after the loss, its file therefore has a new name.
 */
function getMonthFileName(origin: string, month: string): string {
  return `ledger-${origin.slice(origin.lastIndexOf('/') + 1)}-${month}.txt`
}

/**
 * Returns the signed text without the signatures that follow it, because the signatures differ
 * after a change of the key.
 */
function getSignedText(note: string): string {
  return note.slice(0, note.lastIndexOf('\n\n'))
}

/**
 * Returns the month after the last signed month. If no month is signed, returns the month of the
 * first event. If the log is empty, returns null.
 */
async function getNextMonth(pool: pg.Pool, ledger: number): Promise<string | null> {
  const signed = await pool.query<{ month: string }>(
    'select month from ledger.trial_balance where ledger_id = $1 order by month desc limit 1',
    [ledger],
  )
  const [last] = signed.rows
  if (last !== undefined) return getFollowingMonth(last.month)
  const { rows } = await pool.query<{ recorded_at: number }>(
    'select recorded_at from ledger.event where ledger_id = $1 and seq = 0',
    [ledger],
  )
  const [first] = rows
  return first === undefined ? null : getMonth(first.recorded_at)
}

export interface StoredTrialBalance {
  month: string
  size: bigint
  note: string
  signed_at: number
}

export async function listTrialBalances(
  pool: pg.Pool,
  { ledger, before, limit }: { ledger: number; before: string | null; limit: number },
) {
  const { rows } = await pool.query<StoredTrialBalance>(
    `select month, size, note, signed_at from ledger.trial_balance
     where ledger_id = $1 and ($2::text is null or month < $2) order by month desc limit $3`,
    [ledger, before, limit],
  )
  return {
    trialBalances: rows.map(({ signed_at, ...row }) => ({
      ...row,
      signedAt: new Date(signed_at).toISOString(),
    })),
    verifierKeys: [...(await listVerifierKeys(pool, ledger))],
  }
}

/**
 * Returns the signed trial balance of a month, and whether its root and its sums equal the root and
 * the sums of the log. Returns null if the month is not signed.
 */
export async function checkMonth(
  pool: pg.Pool,
  { ledger, month, keys }: { ledger: number; month: string; keys: readonly string[] },
) {
  const { rows } = await pool.query<{ note: string }>(
    'select note from ledger.trial_balance where ledger_id = $1 and month = $2',
    [ledger, month],
  )
  const [stored] = rows
  if (stored === undefined) return null
  const signed = await openTrialBalance(stored.note, openKeys(keys))
  const { size, root } = signed.checkpoint
  const head = await computeHeadAt(pool, { ledger, size })
  const totals = await sumPostingsAt(pool, { ledger, seq: size - 1n })
  const signedTotals = formatTrialBalance(signed.month, signed.totals).join()
  const isSameRoot = head.root === Buffer.from(root).toString('hex')
  const isSame = isSameRoot && signedTotals === formatTrialBalance(month, totals).join()
  return { note: stored.note, ...signed, isSame }
}
