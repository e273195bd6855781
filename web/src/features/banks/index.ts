export { BankAccountsDialog } from './bank-accounts-dialog.tsx'
export { maskNumber } from './mask-number.ts'
export { bankQueries } from './queries.ts'
