export { groupCoverage, listCoverageLines } from './coverage-lines.ts'
export { coverageQueries } from './coverage-query.ts'
export { PromisesCard } from './promises-card.tsx'
export { type Reserve, reserveQueries } from './queries.ts'
