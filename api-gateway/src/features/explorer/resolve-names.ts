import { ACTOR_PATTERN, ID_PATTERN } from '@cairn/gateway-contracts'
import { account, OPERATOR_ACCOUNTS, TREASURY } from '@cairn/ledger-contracts'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { escapeLikePattern } from '../../platform/database/like-pattern.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { isFound, type Searcher } from '../users/index.ts'

const MATCHES_MAX = 2

/**
 * Returns the id of the user with this email or name, or of the user whom a search for this text
 * finds. Throws 422 if no user or several users match.
 */
export async function resolvePerson(
  db: Database,
  text: string,
  searcher: Searcher,
): Promise<string> {
  if (ID_PATTERN.test(text)) return text
  const search = (condition: RawBuilder<SqlBool>) =>
    db
      .selectFrom('identity.user')
      .select('id')
      .where(condition)
      .orderBy('id')
      .limit(MATCHES_MAX)
      .execute()
  const whole = escapeLikePattern(text)
  const exact = await search(sql<SqlBool>`(email ilike ${whole} or name ilike ${whole})`)
  const found = exact.length > 0 ? exact : await search(isFound(text, searcher))
  return requireSingleRow(found, {
    none: `No user has the name or email “${text}”`,
    several: `Several people match “${text}”: search by email`,
  })
}

/**
 * Returns an actor such as `admin:<id>` unchanged. For any other text, returns the actor of the
 * user with this name or email.
 */
export async function resolveActor(
  db: Database,
  text: string,
  searcher: Searcher,
): Promise<string> {
  if (ACTOR_PATTERN.test(text)) return text
  const id = await resolvePerson(db, text, searcher)
  const row = await db
    .selectFrom('identity.user')
    .select('role')
    .where('id', '=', id)
    .executeTakeFirst()
  return `${row?.role ?? 'user'}:${id}`
}

/**
 * Returns an account code unchanged. For any other text, returns the account of the payment option
 * with this name.
 */
export async function resolveAccount(db: Database, text: string): Promise<string> {
  if (/^(investor|cash):/.test(text)) return text
  const name = text.toLowerCase()
  if (name === TREASURY) return account.getCashCode(TREASURY)
  const operator = OPERATOR_ACCOUNTS.find((known) => known === name)
  if (operator !== undefined) return operator
  const rows = await db
    .selectFrom('platform.payment_option')
    .select('id')
    .where('bank', 'ilike', `%${escapeLikePattern(text)}%`)
    .orderBy('id')
    .limit(MATCHES_MAX)
    .execute()
  const option = requireSingleRow(rows, {
    none: `No account is called “${text}”`,
    several: `Several accounts match “${text}”. Enter the full name of the account.`,
  })
  return account.getCashCode(option)
}

function requireSingleRow(
  rows: readonly { id: string }[],
  messages: { none: string; several: string },
): string {
  const [one, other] = rows
  if (one === undefined) throw new HttpFailure(422, 'NOTHING_FOUND', messages.none)
  if (other !== undefined) throw new HttpFailure(422, 'SEARCH_TOO_WIDE', messages.several)
  return one.id
}
