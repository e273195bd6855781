export { statusQueries } from './queries.ts'
export { SystemCard } from './system-card.tsx'
export { SystemState } from './system-state.tsx'
