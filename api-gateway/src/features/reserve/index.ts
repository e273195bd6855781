export { type BookCoverage, computeCoverage } from './coverage.ts'
