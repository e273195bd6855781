export { coverageQueries } from './coverage-query.ts'
