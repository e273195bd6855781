// The exports for other features.
export { requestDeposit } from './deposit.ts'
export { findPaidTo } from './paid-to.ts'
export { findPayment, findSameHash } from './payment-hash.ts'
