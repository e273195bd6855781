// What other features use of this one.
export { announceToAdmins } from './announce.ts'
export { listOwnNotifications } from './routes.ts'
