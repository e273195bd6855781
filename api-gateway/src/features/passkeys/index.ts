export { beginRequest, takePasskey } from './verify-login.ts'
