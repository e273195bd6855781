export { AdminTransactionPanel } from './admin-panel.tsx'
export { PendingFacts, Proof } from './pending-facts.tsx'
export { type Transaction, transactionQueries } from './queries.ts'
export { MyRecentTransactions } from './recent-transactions.tsx'
export { RequestLink } from './request-link.tsx'
export { Timeline } from './review-facts.tsx'
export { ReviewTime } from './review-time.tsx'
export { RiskMarks } from './risk-marks.tsx'
export { AmountCell, StatusBadge, TypeCell } from './transaction-cells.tsx'
export {
  describeMethod,
  describePurpose,
  getOwner,
  getStatusWord,
  getTransactionTitle,
} from './transaction-labels.ts'
