export { clearBrowser } from './routes.ts'
