export {
  findBankAccounts,
  getOwnBankAccount,
  listBankAccounts,
  requireUsable,
} from './bank-account.ts'
