// The exports for other features.
export { clearBrowser } from './routes.ts'
