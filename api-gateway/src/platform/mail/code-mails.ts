import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { DatabaseTransaction } from '../database/database.ts'

/**
 * Maximum number of mails of one pool to one address in an hour. The limit counts registered and
 * unregistered addresses in the same way.
 */
export const MAILS_PER_HOUR = 3
const HOUR_MS = 3_600_000

/**
 * Mails that other people can cause do not use up those that the owner of the address needs. Anyone
 * can ask for links to any address, which would otherwise keep the address from signing up. Mails
 * about bank accounts need only a session, and its thief would otherwise use up the links with which
 * the owner sets a new password.
 */
export type MailPool = 'reset-link' | 'bank-code' | 'bank-default'

/**
 * Counts a mail with a code that verifies an address, or a mail of the given pool. Returns 0, or the
 * seconds to wait if the limit of the address is reached.
 */
export async function countCodeMail(
  trx: DatabaseTransaction,
  mail: { address: string; pool?: MailPool; scale: number; nowMs: number },
): Promise<number> {
  const { address, pool, nowMs } = mail
  const counted = pool === undefined ? address : `${pool}!${address}`
  const hash = createHash('sha256').update(counted).digest()
  // The lock prevents concurrent requests for an address from exceeding the limit.
  await sql`select pg_advisory_xact_lock(${hash.readInt32BE(0)}, ${hash.readInt32BE(4)})`.execute(
    trx,
  )
  const since = new Date(nowMs - HOUR_MS)
  await trx.deleteFrom('identity.code_mail').where('sent_at', '<=', since).execute()
  const sent = await trx
    .selectFrom('identity.code_mail')
    .select('sent_at')
    .where('address_hash', '=', hash)
    .orderBy('sent_at', 'desc')
    .execute()
  const mailsMax = Math.max(1, Math.floor(MAILS_PER_HOUR * mail.scale))
  const oldest = sent[mailsMax - 1]
  if (oldest !== undefined) {
    return Math.max(1, Math.ceil((oldest.sent_at.getTime() + HOUR_MS - nowMs) / 1_000))
  }
  await trx
    .insertInto('identity.code_mail')
    .values({ address_hash: hash, sent_at: new Date(nowMs) })
    .execute()
  return 0
}
