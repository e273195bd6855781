// The exports for other features.
export { requestWithdrawal } from './withdrawal.ts'
