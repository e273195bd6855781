export { CoverageCard, NetFlowCard } from './history-cards.tsx'
export { NetWorthCard } from './net-worth-card.tsx'
export { statsQueries } from './stats-queries.ts'
