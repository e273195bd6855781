export { findNetwork } from './crypto-address.ts'
export {
  createOptionNotFoundFailure,
  findPayoutOption,
  formatOptionName,
  getPaymentOptionRow,
  listOfferedOptionRows,
  resolvePaymentOption,
} from './payment-option.ts'
