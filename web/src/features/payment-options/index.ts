export { OptionIcon } from './option-icon.tsx'
export { type PaymentOption, paymentOptionQueries } from './queries.ts'
