// What other features use of this one.
export { type BookCoverage, coverageOf } from './coverage.ts'
