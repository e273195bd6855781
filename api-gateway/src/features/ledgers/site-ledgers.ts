import { LedgerUnknown, LedgerUnreachable, OWN_EVENT_TYPES } from '@cairn/ledger-contracts'
import type { Selectable } from 'kysely'
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import {
  createLedgerUnavailableFailure,
  createNotFoundFailure,
  HttpFailure,
} from '../../platform/http/failure.ts'
import { RULES_AGE_MAX_MS } from '../../platform/ledger-client/ledger-homes.ts'

export type LedgerRow = Selectable<Tables['platform.ledger']>

/** The number of events of a ledger that are read to find out whether it has events of its own. */
const EVENTS_READ = 100
const ANSWER_MS = 4_000
const OWN_TYPES: ReadonlySet<string> = new Set(OWN_EVENT_TYPES)

export async function findLedger(db: Database, number: number): Promise<LedgerRow | null> {
  const row = await db
    .selectFrom('platform.ledger')
    .selectAll()
    .where('ledger_id', '=', number)
    .executeTakeFirst()
  return row ?? null
}

export async function getLedger(db: Database, number: number): Promise<LedgerRow> {
  const row = await findLedger(db, number)
  if (row === null) throw createNotFoundFailure('There is no such ledger')
  return row
}

/** Throws if the ledger cannot be added: it is known, not served, or has events of its own. */
export async function requireAddable(
  { db, connectLedger }: Pick<Dependencies, 'db' | 'connectLedger'>,
  number: number,
): Promise<void> {
  if ((await findLedger(db, number)) !== null) throw createKnownLedgerFailure(number)
  const signal = AbortSignal.timeout(ANSWER_MS)
  const page = { after: -1n, waitSeconds: 0, limit: EVENTS_READ, signal }
  const { events } = await connectLedger(number)
    .events(page)
    .catch((error: unknown) => {
      throw toUnreachableFailure(error, number)
    })
  if (events.every(({ type }) => OWN_TYPES.has(type))) return
  const message = `Ledger ${number} has events of its own. Add a ledger without events.`
  throw new HttpFailure(409, 'LEDGER_IN_USE', message)
}

function toUnreachableFailure(error: unknown, number: number): unknown {
  if (error instanceof LedgerUnknown) {
    const message = `The ledger service does not serve ledger ${number}. Raise LEDGERS, or name the ledger in LEDGER_DIRECTORY, at all ledger services and workers, and try again.`
    return new HttpFailure(409, 'LEDGER_UNKNOWN', message)
  }
  return error instanceof LedgerUnreachable ? createLedgerUnavailableFailure() : error
}

function createKnownLedgerFailure(number: number): HttpFailure {
  return new HttpFailure(409, 'LEDGER_EXISTS', `The site has ledger ${number} already`)
}

/** Adds the ledger, closed. Throws if the site has it already. */
export async function addLedger(
  trx: DatabaseTransaction,
  { number, name }: { number: number; name: string },
  nowMs: number,
): Promise<void> {
  const row = { ledger_id: number, name, is_open: false, added_at: new Date(nowMs) }
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('platform.ledger')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) throw createKnownLedgerFailure(number)
}

/**
 * True if plans, rules and approvers of the first ledger are copied. The first ledger itself needs no
 * copy.
 */
export function isCopyComplete(
  { rules_copied_at: at }: Pick<LedgerRow, 'rules_copied_at'>,
  nowMs: number,
): boolean {
  return at !== null && nowMs - at.getTime() < RULES_AGE_MAX_MS
}

async function isFirstLedger(db: Database, number: number): Promise<boolean> {
  const site = await db.selectFrom('platform.site').select('ledger_id').executeTakeFirst()
  return site?.ledger_id === number
}

/** Throws if the ledger must not get people, because its rules could differ from the first ones. */
export async function requireReady(db: Database, row: LedgerRow, nowMs: number): Promise<void> {
  const { ledger_id: number } = row
  if (isCopyComplete(row, nowMs) || (await isFirstLedger(db, number))) return
  throw createNotReadyFailure(number)
}

/**
 * Throws if plans, rules and approvers were never copied completely to the further ledger. Until
 * then, one administrator could move any amount there.
 */
export async function requireCopied(db: Database, number: number): Promise<void> {
  const { rules_copied_at: copiedAt } = await getLedger(db, number)
  if (copiedAt === null) throw createNotReadyFailure(number)
}

function createNotReadyFailure(number: number): HttpFailure {
  const message = `The plans and rules of the first ledger are not copied to ledger ${number} yet. Wait until the page Ledgers says that the copy is complete.`
  return new HttpFailure(409, 'LEDGER_NOT_READY', message)
}

export async function openLedger(trx: DatabaseTransaction, number: number): Promise<void> {
  await setOpen(trx, number, true)
}

/** Throws if no other ledger is open. Two such changes at once wait for each other. */
export async function closeLedger(trx: DatabaseTransaction, number: number): Promise<void> {
  const open = await trx
    .selectFrom('platform.ledger')
    .select('ledger_id')
    .where('is_open', '=', true)
    .orderBy('ledger_id')
    .forUpdate()
    .execute()
  if (!open.some(({ ledger_id }) => ledger_id !== number)) {
    const message = 'One ledger must stay open for new people. Open another one first.'
    throw new HttpFailure(409, 'LAST_OPEN_LEDGER', message)
  }
  await setOpen(trx, number, false)
}

async function setOpen(trx: DatabaseTransaction, number: number, is_open: boolean): Promise<void> {
  await trx
    .updateTable('platform.ledger')
    .set({ is_open })
    .where('ledger_id', '=', number)
    .execute()
}
