import type { MigrationFile } from './migration-files.ts'

/** The part of the platform whose schemas a database holds: those of the ledger or of the site. */
export const SCOPES = ['ledger', 'site'] as const
export type Scope = (typeof SCOPES)[number]

/** The migrations that have no line for their scope. */
const WITHOUT_LINE: ReadonlyMap<string, readonly Scope[]> = new Map<string, readonly Scope[]>([
  ['0001_roles.sql', SCOPES],
  ['0002_ledger.sql', ['ledger']],
  ['0003_ledger_projections.sql', ['ledger']],
  ['0004_platform.sql', ['site']],
  ['0005_platform_money.sql', ['site']],
  ['0006_identity.sql', ['site']],
  ['0007_identity_factors.sql', ['site']],
  ['0008_audit.sql', ['site']],
  ['0009_platform_sums.sql', ['site']],
  ['0010_person_keys.sql', ['site']],
  ['0011_public_content.sql', ['site']],
  ['0012_expand_releases.sql', SCOPES],
  ['0013_expand_investor_credits.sql', ['site']],
  ['0014_expand_summarize_postings.sql', ['ledger']],
  ['0015_expand_past_totals.sql', ['ledger']],
])
/** The first line of every later migration. */
const SCOPE_LINE = /^-- scope: (ledger|site|ledger, site)\n/

/** Throws if the text names no part. */
export function parseScope(text: string): Scope {
  const scope = SCOPES.find((name) => name === text)
  if (scope === undefined) throw new Error('--only takes ledger or site')
  return scope
}

/** Returns the parts that a migration belongs to. Throws if the migration does not name them. */
export function findScopes({ name, text }: MigrationFile): readonly Scope[] {
  const known = WITHOUT_LINE.get(name)
  if (known !== undefined) return known
  const named = SCOPE_LINE.exec(text)?.[1]
  if (named === undefined) {
    throw new Error(
      `migration ${name} must begin with "-- scope: ledger", "-- scope: site" or "-- scope: ledger, site"`,
    )
  }
  return SCOPES.filter((scope) => named.split(', ').includes(scope))
}

/** Returns the migrations of one part, or all migrations if `only` is null. */
export function selectFiles(
  files: readonly MigrationFile[],
  only: Scope | null,
): readonly MigrationFile[] {
  if (only === null) return files
  return files.filter((file) => findScopes(file).includes(only))
}

/**
 * Throws if the database does not hold exactly the parts that are migrated now: migrations of
 * another part were applied, or were left out before later ones.
 */
export function requireSameScope(
  applied: readonly string[],
  {
    files,
    selected,
    only,
  }: {
    files: readonly MigrationFile[]
    selected: readonly MigrationFile[]
    only: Scope | null
  },
): void {
  const wanted = new Set(selected.map(({ name }) => name))
  const other = files.find(({ name }) => applied.includes(name) && !wanted.has(name))
  if (other !== undefined) {
    throw new Error(
      `this database also has ${other.name}, which is not a migration of the ${only}: leave out ` +
        `--only ${only}, or name the other part`,
    )
  }
  const last = applied.at(-1) ?? ''
  const missing = selected.find(({ name }) => name < last && !applied.includes(name))
  if (missing === undefined) return
  throw new Error(
    `this database lacks ${missing.name} and has later migrations, because it holds one part of the ` +
      'platform: say which one with --only',
  )
}
