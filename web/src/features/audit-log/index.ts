export { describeAction, listDetails } from './describe-action.ts'
export { type AuditEntry, auditLogQueries } from './queries.ts'
