export { SystemCard } from './system-card.tsx'
