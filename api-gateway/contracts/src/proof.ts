/** Handed on for the pages: they verify a receipt themselves and know no other service's contracts. */
export * from '@cairn/ledger-contracts/proof'
