export { requireFreshProof } from './fresh-proof.ts'
export {
  clearFactorIfNoneLeft,
  findTotpSince,
  listFactors,
  recordFirstFactor,
  requireFactor,
} from './mfa.ts'
export { makeRecoveryCodes } from './recovery-codes.ts'
