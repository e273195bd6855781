export { InvestmentBadge } from './investment-badge.tsx'
export { ProfitNote } from './profit-note.tsx'
export { describeProgress } from './progress.ts'
export { type Investment, investmentQueries } from './queries.ts'
