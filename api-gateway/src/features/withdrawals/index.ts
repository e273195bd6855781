export { hasChangedCredential, holdPendingWithdrawals } from './credential-holds.ts'
export { requestPayout } from './payout.ts'
export { requestWithdrawal } from './withdrawal.ts'
