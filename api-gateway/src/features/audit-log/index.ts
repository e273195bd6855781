export { listOwnActivity } from './routes.ts'
