export { beginLoginRequest, verifyPasskey } from './verify-login.ts'
