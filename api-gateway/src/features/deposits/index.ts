export { requestDeposit } from './deposit.ts'
export { findOptionDetails, findPaymentDestination } from './payment-destination.ts'
export { findPayment, findRepeatedHashes, findSameHash } from './payment-hash.ts'
