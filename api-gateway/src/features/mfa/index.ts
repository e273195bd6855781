// The exports for other features.
export { requireFactor } from './mfa.ts'
