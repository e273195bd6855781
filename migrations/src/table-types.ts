import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { generate, PostgresDialect } from 'kysely-codegen'

const COLUMN_TYPES = './column-types.ts'
const TYPE_OF = { timestamptz: 'Moment', date: 'Day', int8: 'WholeNumber', jsonb: 'JsonText' }

/**
 * The types of columns whose TypeScript type cannot be derived from the SQL type or the check
 * constraint.
 */
const NARROWED = {
  'identity.totp.last_step': 'ColumnType<string, string | number | undefined, string | number>',
  'platform.bank_statement.opening_minor':
    'ColumnType<string | null, string | bigint | null, never>',
  'platform.bank_statement.closing_minor':
    'ColumnType<string | null, string | bigint | null, never>',
}

/** Generates Kysely's types for the gateway's tables from a migrated database. */
export async function generateTableTypes(db: Kysely<unknown>): Promise<string> {
  return generate({
    db,
    dialect: new PostgresDialect(),
    // The default schema is set to a name that no schema has. The name of each generated type then
    // contains the schema of its table.
    defaultSchemas: ['none'],
    includePattern: '{identity,person_keys,platform}.*',
    outFile: null,
    typeMapping: TYPE_OF,
    customImports: Object.fromEntries(Object.values(TYPE_OF).map((name) => [name, COLUMN_TYPES])),
    overrides: { columns: { ...(await readUnions(db)), ...NARROWED } },
  })
}

/** Returns union types for the columns whose check constraint lists the allowed texts. */
async function readUnions(db: Kysely<unknown>): Promise<Record<string, string>> {
  const { rows } = await sql<{ column: string; check: string; isNullable: boolean }>`
    select format('%s.%s.%s', nspname, relname, attname) as column,
      pg_get_constraintdef(k.oid) as check, not attnotnull as "isNullable"
    from pg_constraint k
    join pg_class c on c.oid = conrelid
    join pg_namespace n on n.oid = relnamespace
    join pg_attribute a on attrelid = c.oid and attnum = conkey[1]
    where contype = 'c' and cardinality(conkey) = 1 and nspname in ('identity', 'person_keys', 'platform')
      and atttypid = 'text'::regtype`.execute(db)
  const unions = rows.flatMap(({ column, check, isNullable }) => {
    const list = /^CHECK \(\(\w+ = (?:ANY \(ARRAY\[)?('[^']*'::text(?:, '[^']*'::text)*)/.exec(
      check,
    )
    if (list?.[1] === undefined) return []
    const texts = list[1].replaceAll('::text', '').split(', ')
    return [[column, [...texts, ...(isNullable ? ['null'] : [])].join(' | ')] as const]
  })
  return Object.fromEntries(unions)
}
