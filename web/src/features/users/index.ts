export { UserBadge } from './user-badge.tsx'
