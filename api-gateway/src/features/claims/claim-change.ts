import { type ChangeLine, ClaimKey, type Statement } from '@cairn/gateway-contracts'
import { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import { formatDay } from '../../platform/site-format.ts'
import { type ChangeDefinition, toTextLine } from '../change-requests/index.ts'
import { CLAIM_RULES } from './rules.ts'

const StoredStatement = z.record(z.string(), z.string().nullable())
type StoredStatement = z.infer<typeof StoredStatement>

const ClaimPayload = z.strictObject({ key: ClaimKey, statement: StoredStatement })
export type ClaimPayload = z.infer<typeof ClaimPayload>

const LABELS: Readonly<Record<keyof z.output<typeof Statement>, string>> = {
  person: 'Name',
  qualification: 'Qualification',
  regulator: 'Regulator',
  licenceNumber: 'Licence number',
  registerUrl: 'Register',
  scope: 'Scope',
  countries: 'Countries',
  expiresAt: 'Expires',
  hours: 'Hours',
  text: 'Statement',
}
const findLabel = (name: string) =>
  Object.entries(LABELS).find(([key]) => key === name)?.[1] ?? name

/**
 * Creates the definition of the change that stores a statement. This change always needs two
 * people, even if dual control is not required.
 */
export function createClaimChange(): ChangeDefinition<ClaimPayload> {
  return {
    kind: 'claim',
    payload: ClaimPayload,
    permission: { propose: 'claims.write', approve: 'claims.write' },
    isNeeded: 'always',
    getTarget: ({ key }) => key,
    getTitle: ({ key }) => `Public statement: ${CLAIM_RULES[key].wording}`,
    getLink: () => '/manage/admin/claims',
    listBeneficiaries: () => [],
    readBefore: (db, { key }) => readStatement(db, key),
    describeChange: async ({ statement }, before) =>
      toChangeLines(StoredStatement.nullable().parse(before) ?? {}, statement),
    execute: async ({ trx, payload, createdBy, createdAtMs, approvedBy, approvedAtMs }) => {
      const columns = {
        content: JSON.stringify(payload.statement),
        stated_by: createdBy,
        stated_at: new Date(createdAtMs),
        approved_by: approvedBy,
        approved_at: new Date(approvedAtMs),
      }
      await trx
        .insertInto('platform.claim')
        .values({ key: payload.key, ...columns })
        .onConflict((conflict) => conflict.column('key').doUpdateSet(columns))
        .execute()
    },
  }
}

/** Returns the stored statement of a claim; null if the claim has no statement. Locks its row. */
async function readStatement(db: Database, key: string): Promise<StoredStatement | null> {
  const row = await db
    .selectFrom('platform.claim')
    .select('content')
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? null : StoredStatement.parse(row.content)
}

/** Returns the statement with null for each missing field. */
export function fillInMissingFields(statement: z.output<typeof Statement>): StoredStatement {
  return Object.fromEntries(
    Object.entries(statement).map(([name, value]) => [name, value === undefined ? null : value]),
  )
}

function toChangeLines(before: StoredStatement, after: StoredStatement): ChangeLine[] {
  return Object.keys(after).flatMap((name) => {
    const [old = null, fresh = null] = [before[name], after[name]]
    if (old === fresh) return []
    const format = (value: string | null) =>
      name === 'expiresAt' && value !== null ? formatDay(value) : value
    return [toTextLine(findLabel(name), { before: format(old), after: format(fresh) })]
  })
}
