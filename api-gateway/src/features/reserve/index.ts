export { joinCoverages, readBooks } from './books.ts'
export { listCash, sumPaymentAccounts } from './cash.ts'
export { type BookCoverage, computeCoverage } from './coverage.ts'
