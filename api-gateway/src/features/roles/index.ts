// The exports for other features.
export { setRoles } from './set-roles.ts'
