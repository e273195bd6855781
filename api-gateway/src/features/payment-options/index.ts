// What other features use of this one.
export { networkOf } from './crypto-address.ts'
export {
  findPayoutOption,
  getPaymentOptionRow,
  listOfferedRows,
  noSuchOption,
  resolvePaymentOption,
} from './payment-option.ts'
