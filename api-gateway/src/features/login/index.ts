export { clearSessionCookies } from './routes.ts'
