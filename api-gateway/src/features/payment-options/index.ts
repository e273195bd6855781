// The exports for other features.
export { networkOf } from './crypto-address.ts'
export {
  findPayoutOption,
  getPaymentOptionRow,
  listOfferedRows,
  noSuchOption,
  resolvePaymentOption,
} from './payment-option.ts'
