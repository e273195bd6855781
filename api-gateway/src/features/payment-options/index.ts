export { findNetwork } from './crypto-address.ts'
export {
  createOptionNotFoundFailure,
  findPayoutOption,
  getPaymentOptionRow,
  listOfferedOptionRows,
  resolvePaymentOption,
} from './payment-option.ts'
