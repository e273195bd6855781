// The exports for other features.
export { openRequest, takePasskey } from './verify-login.ts'
