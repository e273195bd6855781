export { announceToAdmins } from './announce.ts'
export { listOwnNotifications } from './routes.ts'
