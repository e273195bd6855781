export { CoverageCard, NetFlowCard } from './history-cards.tsx'
export { NetWorthCard } from './net-worth-card.tsx'
export { NetWorthTotal } from './net-worth-lead.tsx'
export { statsQueries } from './stats-queries.ts'
