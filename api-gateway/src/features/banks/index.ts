export {
  findBankAccounts,
  getOwnBankAccount,
  hashBankAccount,
  listBankAccounts,
  requireUsable,
} from './bank-account.ts'
