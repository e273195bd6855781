// The exports for other features.
export { type BookCoverage, computeCoverage } from './coverage.ts'
