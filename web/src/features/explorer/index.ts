export { describeEvent } from './describe-event.ts'
export { LedgerSelect, useChosenLedger } from './ledger-select.tsx'
export { explorerQueries, useStartVerification } from './queries.ts'
