/**
 * Exports the proof code to the pages, which verify receipts themselves and may not import the
 * contracts of the ledger.
 */
export * from '@cairn/ledger-contracts/proof'
