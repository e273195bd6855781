export { registrationQueries } from './queries.ts'
export { rememberCodeStep } from './stored-registration.ts'
