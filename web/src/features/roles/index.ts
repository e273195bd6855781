export { roleQueries } from './queries.ts'
export { RoleFields, type RoleValues, toRoleChoices } from './role-fields.tsx'
export { RolesCard } from './roles-card.tsx'
