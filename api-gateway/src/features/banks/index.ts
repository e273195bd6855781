export {
  addBankAccount,
  findBankAccounts,
  getOwnBankAccount,
  listBankAccounts,
  listRemovedAccounts,
  requireUsable,
} from './bank-account.ts'
export { BANK_COLUMNS } from './bank-columns.ts'
