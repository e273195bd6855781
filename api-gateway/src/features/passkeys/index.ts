export { beginRequest, verifyPasskey } from './verify-login.ts'
