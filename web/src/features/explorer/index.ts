export { eventWords } from './event-labels.ts'
export { ledgerQueries } from './queries.ts'
