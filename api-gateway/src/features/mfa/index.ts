export { requireFreshProof } from './fresh-proof.ts'
export {
  clearMfaStateIfNoFactor,
  findTotpSince,
  listSecondFactors,
  recordFirstSecondFactor,
  requireSecondFactor,
} from './mfa.ts'
export { makeRecoveryCodes } from './recovery-codes.ts'
