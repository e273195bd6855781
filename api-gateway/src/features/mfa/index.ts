// The exports for other features.
export { requireFreshProof } from './fresh-proof.ts'
export {
  findTotpSince,
  listFactors,
  recordFirstFactor,
  recordLastFactor,
  requireFactor,
} from './mfa.ts'
export { makeRecoveryCodes } from './recovery-codes.ts'
