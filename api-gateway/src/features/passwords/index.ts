// The exports for other features.
export { authenticate, requireOpenAccount, requirePassword } from './authentication.ts'
export { requireNoCredentialHold } from './credential-hold.ts'
export { issueLink } from './link-tokens.ts'
export { pruneLoginAttempts, resetBudget } from './login-attempts.ts'
export { requestHold, startCredentialHold } from './password-change.ts'
export { mailResetLink } from './password-reset.ts'
export { findWeakness, hashPassword } from './passwords.ts'
