// The exports for other features.
export {
  findBankAccounts,
  getOwnBankAccount,
  hashBankAccount,
  listBankAccounts,
  requireUsable,
} from './bank-account.ts'
