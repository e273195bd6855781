import type pg from 'pg'

/**
 * The roles that may log in. The owner of the tables, cairn_owner, may log in only on the nodes of a
 * Citus cluster.
 */
export const LOGIN_ROLES: ReadonlySet<string> = new Set([
  'cairn_migrator',
  'cairn_ledger',
  'cairn_ledger_worker',
  'cairn_gateway',
  'cairn_gateway_worker',
  'cairn_auditor',
  'cairn_backup',
  'cairn_key_backup',
])

export async function setPasswords(
  client: pg.Client,
  passwords: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [role, password] of Object.entries(passwords)) {
    if (!LOGIN_ROLES.has(role)) throw new Error(`role ${role} may not log in`)
    await client.query(
      `alter role ${client.escapeIdentifier(role)} login password ${client.escapeLiteral(password)}`,
    )
  }
}
