export { BalanceCard } from './balance-card.tsx'
export { ForecastCard } from './forecast-card.tsx'
export { CoverageCard, NetFlowCard } from './history-cards.tsx'
export { statsQueries } from './stats-queries.ts'
