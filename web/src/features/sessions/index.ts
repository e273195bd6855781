export { ActivityCard } from './activity-card.tsx'
export { type SignedIn, sessionQueries, toSignedIn } from './current-session.ts'
export { SessionRow, SessionsCard } from './sessions-card.tsx'
