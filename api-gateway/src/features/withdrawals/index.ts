export { holdPending } from './credential-holds.ts'
export { requestWithdrawal } from './withdrawal.ts'
