export { listDetails } from './describe-details.ts'
export { describeAction, describeEntry } from './describe-entry.ts'
export { type AuditEntry, auditLogQueries } from './queries.ts'
