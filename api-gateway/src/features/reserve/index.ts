// The exports for other features.
export { type BookCoverage, coverageOf } from './coverage.ts'
