// What other features use of this one.
export { requireFactor } from './mfa.ts'
