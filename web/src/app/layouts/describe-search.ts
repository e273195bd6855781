import type { Role } from '../../shared/session/stored-user.ts'

/** Names what the search finds. Only administrators find people. */
export function describeSearch(role: Role): string {
  const found = 'transactions, investments, plans, pages'
  return `Find ${role === 'admin' ? 'people, ' : ''}${found}`
}
