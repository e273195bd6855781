export { requestDeposit } from './deposit.ts'
export { findPaymentDestination } from './payment-destination.ts'
export { findPayment, findRepeatedHashes, findSameHash } from './payment-hash.ts'
