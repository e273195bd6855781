// The exports for other features.
export { leaveBrowser } from './routes.ts'
