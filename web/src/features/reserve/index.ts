export { groupCoverage, listCoverageLines } from './coverage-lines.ts'
export { coverageQueries } from './coverage-query.ts'
export { PromisesCard } from './promises-card.tsx'
export { reserveQueries } from './queries.ts'
