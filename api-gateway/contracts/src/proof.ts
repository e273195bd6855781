/**
 * Exports the proof code to the pages. The pages verify receipts themselves, but must not import
 * the contracts of the ledger.
 */
export * from '@cairn/ledger-contracts/proof'
