// What other features use of this one.
export {
  findBankAccounts,
  getOwnBankAccount,
  hashBankAccount,
  listBankAccounts,
  requireUsable,
} from './bank-account.ts'
