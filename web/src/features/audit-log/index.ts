export { actionWords, detailLines } from './audit-labels.ts'
export { type AuditEntry, auditQueries } from './queries.ts'
