export {
  addBankAccount,
  findBankAccounts,
  getOwnBankAccount,
  listBankAccounts,
  requireUsable,
} from './bank-account.ts'
export { BANK_COLUMNS } from './bank-columns.ts'
