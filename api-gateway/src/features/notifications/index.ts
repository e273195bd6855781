export { announceToAdmins } from './announce.ts'
export { publishNotifications } from './publish.ts'
export { listOwnNotifications } from './routes.ts'
