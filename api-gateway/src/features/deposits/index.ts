// What other features use of this one.
export { requestDeposit } from './deposit.ts'
export { findPaidTo } from './paid-to.ts'
export { findPayment, findSameHash } from './payment-hash.ts'
