export { describeRoles } from './describe-roles.ts'
export { setRoles } from './set-roles.ts'
