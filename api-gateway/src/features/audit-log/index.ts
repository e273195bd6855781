// The exports for other features.
export { listOwnActivity } from './routes.ts'
