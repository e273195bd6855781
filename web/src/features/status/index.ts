export { SystemCard } from './system-card.tsx'
export { SystemState } from './system-state.tsx'
