import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Queryable, readCatalog } from './read-catalog.ts'

/** The definitions that the migrations create. A test generates this file. */
export const DEFINITIONS_FILE = join(import.meta.dirname, 'schema-definitions.generated.txt')

/** The first number that an object of the database can have that the server did not bring. */
const FIRST_OWN_OID = 16_384

/**
 * A constant, as the server stores it: `0` of a bigint is an integer with an implicit cast. The text
 * of an expression is not compared, because it does not show which function an implicit cast calls.
 */
const CONSTANT = String.raw`^(\{FUNCEXPR :funcid \d{1,4} [^{}]*:funcformat 2 [^{}]*:args \()?\{CONST [^{}]*\}[^{}]*\}?$`

/** The parts of a condition that only compares columns with constants, as the server stores them. */
const COMPARISON =
  'VAR,CONST,OPEXPR,BOOLEXPR,NULLTEST,SCALARARRAYOPEXPR,ARRAY,ARRAYEXPR,RELABELTYPE'

/**
 * Lists the definitions of the schema `ledger` that protect the log or its projections, one
 * definition a line. These are columns, constraints, indexes, triggers with their state, bodies of
 * functions, row policies, rules and rights. A trigger, constraint or index that the row of its
 * table switches off is listed as such. The attributes, memberships and settings of the roles of the
 * platform and the settings of the database are also listed. `of_table` is the table to which a
 * definition belongs. `is_neutral` is true for a column or an index that can neither refuse nor change
 * a row, and runs no function that the server did not bring.
 */
const DEFINITIONS = `
  with tables as (
    select * from pg_class
    where relnamespace = 'ledger'::regnamespace and relkind in ('r', 'v', 'm', 'p', 'S')
  ), rights as (
    select 'table ' || relname as object, relacl as acl, relname from tables
    union all select 'schema ' || nspname, nspacl, null from pg_namespace where nspname = 'ledger'
    union all select 'function ' || proname, proacl, null from pg_proc
      where pronamespace = 'ledger'::regnamespace
    union all select 'column ' || relname || '.' || attname, attacl, relname
      from tables join pg_attribute on attrelid = tables.oid where attacl is not null
  ), lines as (
    select format('table %s kind %s persistence %s owner %s row security %s', relname, relkind,
      relpersistence, pg_get_userbyid(relowner), relrowsecurity) as line,
      relname as of_table, false as is_neutral
    from tables
    union all
    select format('column %s.%s %s not null %s default %s', relname, attname,
      format_type(atttypid, atttypmod), attnotnull, coalesce(pg_get_expr(adbin, adrelid), 'none'))
      || case when attcollation <> typcollation or not collisdeterministic then
        format(' collation %s.%s deterministic %s', collnamespace::regnamespace, collname,
          collisdeterministic) else '' end,
      relname,
      -- A domain has a default and constraints of its own. A column that may not be null and has no
      -- default refuses each row.
      typtype = 'b' and pg_type.oid < ${FIRST_OWN_OID} and attidentity = '' and attgenerated = ''
        and case when adbin is null then not attnotnull else adbin::text ~ '${CONSTANT}' end
    from tables join pg_attribute on attrelid = tables.oid join pg_type on pg_type.oid = atttypid
      left join pg_collation on pg_collation.oid = attcollation
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped
    union all
    select format('constraint %s %s valid %s %s', relname, conname,
      convalidated and (contype <> 'c' or relchecks = (
        select count(*) from pg_constraint as checks
        where checks.conrelid = tables.oid and checks.contype = 'c')),
      pg_get_constraintdef(pg_constraint.oid)), relname, false
    from tables join pg_constraint on conrelid = tables.oid where contype in ('p', 'u', 'c', 'f', 'x')
    union all
    -- A row that another table refers to may not be deleted or changed.
    select format('reference to %s from %s %s', relname, conrelid::regclass,
      pg_get_constraintdef(pg_constraint.oid)), relname, false
    from tables join pg_constraint on confrelid = tables.oid
    union all
    -- A query of a table also returns the rows of the tables that inherit from it.
    select format('table %s inherits from %s', inhrelid::regclass, inhparent::regclass), relname, false
    from tables join pg_inherits on tables.oid in (inhrelid, inhparent)
    union all
    select format('index %s valid %s ready %s live %s immediate %s', pg_get_indexdef(indexrelid),
      indisvalid, indisready and relhasindex, indislive, indimmediate), relname,
      -- An expression or a condition can fail for some rows, such as a division by zero.
      not indisunique and not indisexclusion and indexprs is null
        and ${FIRST_OWN_OID}::oid > all (indclass) and not exists (
          select from regexp_matches(indpred::text, '\\{([A-Z]+)|:opno (\\d+)', 'g') as part
          where part[1] <> all ('{${COMPARISON}}') or part[2]::oid not in (
            select amopopr from pg_amop join pg_am on pg_am.oid = amopmethod
            where amname = 'btree' and greatest(amopfamily, amopopr) < ${FIRST_OWN_OID}))
    from tables join pg_index on indrelid = tables.oid
    union all
    select format('trigger enabled %s %s', case when relhastriggers then tgenabled else 'D' end,
      pg_get_triggerdef(pg_trigger.oid)), relname, false
    from tables join pg_trigger on tgrelid = tables.oid join pg_proc on pg_proc.oid = tgfoid
      join pg_language on pg_language.oid = prolang
    -- A trigger can be marked as internal and still call any function. These are the functions of
    -- foreign keys and of distributed tables.
    where not (lanname = 'internal' and prosrc like 'RI\\_FKey\\_%')
      and not (lanname = 'c' and probin = '$libdir/citus' and prosrc = 'citus_truncate_trigger')
    union all
    select format('function %s(%s) language %s security definer %s settings %s body %s', proname,
      pg_get_function_arguments(pg_proc.oid), lanname, prosecdef, proconfig,
      regexp_replace(prosrc, '\\s+', ' ', 'g')), null, false
    from pg_proc join pg_language on pg_language.oid = prolang
    where pronamespace = 'ledger'::regnamespace
    union all
    select format('policy %s on %s', polname, relname), null, false
    from tables join pg_policy on polrelid = tables.oid
    union all
    select format('rule %s on %s', rulename, tablename), null, false
    from pg_rules where schemaname = 'ledger'
    union all
    select format('right %s %s %s', object, pg_get_userbyid(grantee), privilege_type), relname, false
    from rights, lateral aclexplode(acl)
    where grantee = 0 or pg_get_userbyid(grantee) <> 'cairn_owner'
    union all
    select format('role %s superuser %s bypasses policies %s creates roles %s creates databases %s '
      'replicates %s', rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication),
      null, false
    from pg_roles where rolname like 'cairn\\_%'
    union all
    -- Each other role may have a password. The nodes of Citus connect to each other as the owner.
    select 'role cairn_owner may log in', null, false from pg_roles
    where rolname = 'cairn_owner' and rolcanlogin
      and not exists (select from pg_extension where extname = 'citus')
    union all
    -- The account of the migrations is a member of each role. It owns the database or may create
    -- roles, and with either right an account can make itself a member.
    select distinct format('member %s of %s', members.rolname, roles.rolname), null::name, false
    from pg_auth_members join pg_roles as members on members.oid = member
      join pg_roles as roles on roles.oid = roleid
    where (members.rolname like 'cairn\\_%' or roles.rolname like 'cairn\\_%' and not (
        members.rolsuper or members.rolcreaterole
        or exists (select from pg_database where datname = current_database() and datdba = member)))
      -- Needed for the metrics of standbys, see docs/operations.md.
      and (members.rolname, roles.rolname) <> ('cairn_ledger', 'pg_read_all_stats')
    union all
    -- Limits of time, memory, logging and planning change no result, so an operator may set them.
    select format('setting of %s in %s: %s',
      case setrole when 0 then 'all roles' else pg_get_userbyid(setrole) end,
      case setdatabase when 0 then 'all databases' else 'this database' end, pair), null, false
    from pg_db_role_setting cross join unnest(setconfig) as pair,
      lateral split_part(pair, '=', 1) as name
    where (setdatabase = 0 or setdatabase = (
        select oid from pg_database where datname = current_database()))
      and (setrole = 0 or pg_get_userbyid(setrole) like 'cairn\\_%')
      and pair <> 'citus.enable_unsafe_triggers=on'
      and name !~ '_(timeout|cost|io_concurrency|collapse_limit|mem|buffers|statistics_target)$'
      and name !~ '^(enable|jit|geqo|log|track|max_parallel|min_parallel|parallel|vacuum)_'
      and name not in ('jit', 'geqo', 'work_mem', 'plan_cache_mode', 'effective_cache_size',
        'hash_mem_multiplier', 'temp_file_limit', 'compute_query_id')
    union all
    -- Such a trigger can change the settings of each connection.
    select format('event trigger %s on login enabled %s', evtname, evtenabled), null, false
    from pg_event_trigger where evtevent = 'login'
  )
  select line, of_table as "ofTable", is_neutral as "isNeutral" from lines
  order by line collate "C"`

interface Definition {
  readonly line: string
  /** The name of the table in the schema `ledger`; null if the definition belongs to no table. */
  readonly ofTable: string | null
  readonly isNeutral: boolean
}

export function readDefinitions(client: Queryable): Promise<readonly Definition[]> {
  return readCatalog<Definition>(client, DEFINITIONS)
}

/**
 * Returns one sentence for each definition that differs from the definition in the migrations. What
 * a migration of a newer version may add is no difference, see `isAddition`.
 */
export async function findSchemaProblems(client: Queryable): Promise<readonly string[]> {
  const expected = new Set(readFileSync(DEFINITIONS_FILE, 'utf8').trimEnd().split('\n'))
  const stored = await readDefinitions(client)
  const storedLines = new Set(stored.map(({ line }) => line))
  const missing = [...expected].filter((line) => !storedLines.has(line))
  const added = stored.filter(
    (definition) => !expected.has(definition.line) && !isAddition(definition, expected),
  )
  return [
    ...missing.map((line) => `the schema lacks the definition: ${line}`),
    ...added.map(({ line }) => `the schema has an unexpected definition: ${line}`),
  ]
}

/**
 * True for a definition that a migration of a newer version can add while this version runs: a
 * table with its columns, constraints, indexes, triggers and rights, or a neutral column or index of
 * a known table. A changed definition is still found, because the expected one is missing.
 */
function isAddition(
  { line, ofTable, isNeutral }: Definition,
  expected: ReadonlySet<string>,
): boolean {
  if (ofTable === null) return false
  if (isRebuiltIndex(line, expected)) return true
  return isNeutral || !expected.values().some((known) => known.startsWith(`table ${ofTable} kind `))
}

/** The name and the state that REINDEX CONCURRENTLY gives to the copy of an index, or leaves behind. */
const REBUILT = /^(index .*?)_cc(?:new|old)\d*( ON .*) valid \w ready \w live \w( immediate \w)$/

function isRebuiltIndex(line: string, expected: ReadonlySet<string>): boolean {
  const [, start, middle, end] = REBUILT.exec(line) ?? []
  return start !== undefined && expected.has(`${start}${middle} valid t ready t live t${end}`)
}
