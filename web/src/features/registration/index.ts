export { registrationQueries } from './queries.ts'
export { storeCodeStep } from './stored-registration.ts'
