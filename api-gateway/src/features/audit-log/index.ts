// What other features use of this one.
export { listOwnActivity } from './routes.ts'
