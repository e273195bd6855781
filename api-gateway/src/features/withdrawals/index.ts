// What other features use of this one.
export { requestWithdrawal } from './withdrawal.ts'
