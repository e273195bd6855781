export { findNetwork } from './crypto-address.ts'
export {
  createOptionNotFound,
  findPayoutOption,
  getPaymentOptionRow,
  listOfferedRows,
  resolvePaymentOption,
} from './payment-option.ts'
