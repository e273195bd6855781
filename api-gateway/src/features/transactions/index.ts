export { getTransaction } from './decision.ts'
export { LEDGER_ORDER, type ListReader, listPage, resolveSearch } from './list.ts'
export { toReviewedTransactions } from './risk-flags.ts'
export { CANCELLED_BY_USER, toAdminTransactions, toTransaction } from './transaction.ts'
