export { InvestmentBadge } from './investment-badge.tsx'
export { progressOf } from './progress.ts'
export { type Investment, investmentQueries } from './queries.ts'
