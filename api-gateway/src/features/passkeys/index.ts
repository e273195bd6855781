export { createPasskeyRefusedFailure } from './ceremonies.ts'
export { beginLoginRequest, verifyPasskey } from './verify-login.ts'
