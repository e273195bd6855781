export { BankAccountsDialog } from './bank-accounts-dialog.tsx'
export { maskedNumber } from './masked-number.ts'
export { bankQueries } from './queries.ts'
