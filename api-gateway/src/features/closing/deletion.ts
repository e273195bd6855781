import type { Database, DatabaseTransaction } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { destroyPersonKey } from '../../platform/erasure/person-key.ts'
import { getObjectName } from '../../platform/files/blob-store.ts'
import { recordAudit } from '../../platform/http/audit.ts'
import { toFailure, toServerFailure } from '../../platform/ledger-client/refusal.ts'
import { resetAccountAttempts } from '../passwords/index.ts'
import { closeSessionsOf } from '../sessions/index.ts'
import {
  getUserRow,
  lockStatusAndName,
  lockUser,
  NO_PASSWORD,
  requireAdminsLeft,
  type UserRow,
} from '../users/index.ts'

export const DELETED_NAME = 'Deleted user'
const PERSONAL_FILES = ['receipt', 'photo'] as const

/** Deletes the account of an administrator in the given transaction. */
export async function deleteAdmin(
  trx: DatabaseTransaction,
  deps: Pick<Dependencies, 'db' | 'ledger' | 'objects'>,
  { userId, adminId, nowMs }: { userId: string; adminId: string; nowMs: number },
): Promise<void> {
  const user = await getUserRow(trx, userId)
  await requireAdminsLeft(trx, deps, { userId, adminId })
  await erasePerson(trx, deps, { user, nowMs })
  await resetAccountAttempts(trx, { userId, email: user.email })
}

interface Ending {
  user: UserRow
  actor: string
  requestId: string
  nowMs: number
  /**
   * Runs in the transaction that erases the data, for writes that must be committed together with
   * the erasure.
   */
  onErased?: (trx: DatabaseTransaction) => Promise<void>
}

/**
 * Closes the account in the ledger, then erases the personal data. The ledger refuses to close an
 * account that still has money. The row of the user remains, because ledger records refer to its
 * id.
 */
export async function closeAndEraseAccount(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'objects'>,
  ending: Ending,
): Promise<void> {
  const { user, nowMs } = ending
  await deps.db.transaction().execute(async (trx) => {
    // The row stays locked from the command to the erasure. Otherwise, a concurrent activation could
    // create the investor after the ledger has answered that there is none to close.
    await lockStatusAndName(trx, user.id)
    if (user.role === 'user') await closeInvestorInLedger(deps, ending)
    await erasePerson(trx, deps, { user, nowMs })
    await ending.onErased?.(trx)
  })
  await resetAccountAttempts(deps.db, { userId: user.id, email: user.email })
}

/**
 * Erases the data of a deleted person again, if a restored backup of the site has brought the data
 * back. Returns false if a concurrent process has already erased the data.
 */
export async function repeatErasure(
  deps: Pick<Dependencies, 'db' | 'objects'>,
  { userId, erasedAt, nowMs }: { userId: string; erasedAt: Date; nowMs: number },
): Promise<boolean> {
  return deps.db.transaction().execute(async (trx) => {
    const found = await trx
      .selectFrom('identity.user')
      .select('id')
      .where('id', '=', userId)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (found === undefined) return false
    const user = await getUserRow(trx, userId)
    await erasePerson(trx, deps, { user, nowMs: erasedAt.getTime() })
    await resetAccountAttempts(trx, { userId, email: user.email })
    const act = { actorId: null, action: 'user.erase-again', subject: userId } as const
    await recordAudit(trx, { ...act, ip: 'server', requestId: 'erasure', details: {} }, nowMs)
    return true
  })
}

async function closeInvestorInLedger(
  deps: Pick<Dependencies, 'ledger'>,
  { user, actor, requestId }: Pick<Ending, 'user' | 'actor' | 'requestId'>,
): Promise<void> {
  const answer = await deps.ledger.submit({
    type: 'CloseInvestor',
    data: { investorId: user.id },
    actor,
    key: null,
    requestId,
    effectiveAt: null,
  })
  if (answer.outcome === 'recorded') return
  if (answer.outcome === 'failed') throw toServerFailure(answer)
  // These two refusals are not errors: the ledger has no such investor, or has already closed the
  // investor.
  const isDone =
    answer.code === 'INVESTOR_UNKNOWN' ||
    (answer.code === 'STANDING_CONFLICT' && answer.details.standing === 'closed')
  if (!isDone) throw toFailure(answer)
}

async function erasePerson(
  trx: DatabaseTransaction,
  deps: Pick<Dependencies, 'objects'>,
  { user, nowMs }: { user: UserRow; nowMs: number },
): Promise<void> {
  const { id } = user
  const now = new Date(nowMs)
  // As in a password change, before the rows of the user.
  await lockUser(trx, id)
  await closeSessionsOf(trx, id)
  // Without this key, statements and certificates are unreadable, even in earlier backups of the
  // site.
  await destroyPersonKey(trx, { userId: id, erasedAt: now })
  await eraseRows(trx, user)
  await trx
    .updateTable('identity.user')
    .set({
      email: `${id}@deleted.invalid`,
      name: DELETED_NAME,
      pending_name: null,
      phone: '',
      first_address: '',
      second_address: null,
      town_city: null,
      gender: null,
      reason: null,
      employment_status: null,
      tax_residence: null,
      tax_number: null,
      photo_id: null,
      status: 'denied',
      password_hash: NO_PASSWORD,
      activation_wanted_at: null,
      mfa_enabled_at: null,
      pending_email: null,
      credential_hold_until: null,
      last_login_at: null,
      deleted_at: now,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
  // Last, because a failed transaction does not bring bytes in the object store back.
  await eraseFiles(trx, deps, id)
}

/**
 * Deletes the user's personal rows in other tables. The audit log remains, because it has only the
 * id.
 */
async function eraseRows(
  trx: Database,
  { id: userId, email }: Pick<UserRow, 'id' | 'email'>,
): Promise<void> {
  await trx.deleteFrom('identity.email_code').where('user_id', '=', userId).execute()
  await trx.deleteFrom('identity.email_change').where('user_id', '=', userId).execute()
  await trx.deleteFrom('identity.link_token').where('user_id', '=', userId).execute()
  await trx.deleteFrom('identity.admin_role').where('user_id', '=', userId).execute()
  await trx.deleteFrom('identity.totp').where('user_id', '=', userId).execute()
  await trx.deleteFrom('identity.mfa_tries').where('user_id', '=', userId).execute()
  await trx.deleteFrom('identity.passkey').where('user_id', '=', userId).execute()
  await trx.deleteFrom('identity.passkey_handle').where('user_id', '=', userId).execute()
  await trx.deleteFrom('identity.hold_request').where('user_id', '=', userId).execute()
  await trx.deleteFrom('identity.recovery_code').where('user_id', '=', userId).execute()
  await trx.deleteFrom('identity.outbox').where('user_id', '=', userId).execute()
  await trx.deleteFrom('platform.keyed_request').where('user_id', '=', userId).execute()
  await trx.deleteFrom('platform.upload_quota').where('owner_id', '=', userId).execute()
  await trx.deleteFrom('platform.notification').where('user_id', '=', userId).execute()
  await trx.deleteFrom('platform.preference').where('user_id', '=', userId).execute()
  await trx.deleteFrom('platform.announcement_mail').where('user_id', '=', userId).execute()
  await trx.deleteFrom('platform.user_note').where('user_id', '=', userId).execute()
  // A payment hash can reveal a wallet and its owner.
  await trx.deleteFrom('platform.deposit_hash').where('user_id', '=', userId).execute()
  await trx.deleteFrom('platform.deposit_reference').where('user_id', '=', userId).execute()
  const accounts = trx
    .selectFrom('platform.bank_account')
    .select('id')
    .where('user_id', '=', userId)
  await trx.deleteFrom('platform.bank_code').where('account_id', 'in', accounts).execute()
  await trx.deleteFrom('platform.bank_account').where('user_id', '=', userId).execute()
  await trx.deleteFrom('platform.contact_message').where('email', '=', email).execute()
}

/**
 * Deletes the personal files of a user: each first in the object store, then its row, which a
 * repetition of an interrupted deletion needs to find it. PostgreSQL ends a transaction that waits
 * for ten seconds without a statement; with a statement for each file, many files do not reach this
 * limit. Files that an administrator uploaded for the operator are not personal and remain.
 */
async function eraseFiles(
  trx: DatabaseTransaction,
  { objects }: Pick<Dependencies, 'objects'>,
  userId: string,
): Promise<void> {
  const files = await trx
    .selectFrom('platform.file')
    .select('id')
    .where('owner_id', '=', userId)
    .where('purpose', 'in', PERSONAL_FILES)
    .execute()
  for (const { id } of files) {
    await objects?.remove(getObjectName(id))
    await trx.deleteFrom('platform.file').where('id', '=', id).execute()
  }
}
