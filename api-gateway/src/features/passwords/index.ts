export {
  authenticate,
  createWrongCredentialsFailure,
  requireOpenAccount,
  requirePassword,
} from './authentication.ts'
export { requireNoCredentialHold } from './credential-hold.ts'
export { issueLink, revokeLinks } from './link-tokens.ts'
export { pruneLoginAttempts, resetAccountAttempts } from './login-attempts.ts'
export { requestHold, startCredentialHold } from './password-change.ts'
export { mailResetLink } from './password-reset.ts'
export { findPasswordWeakness, hashPassword } from './passwords.ts'
