export { requireFreshProof } from './fresh-proof.ts'
export {
  clearMfaStateIfNoFactor,
  findTotpSince,
  listSecondFactors,
  recordFirstSecondFactor,
  requireSecondFactor,
} from './mfa.ts'
export { replaceRecoveryCodes } from './recovery-codes.ts'
