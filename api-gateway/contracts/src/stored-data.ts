export { expandStoredData } from '@cairn/ledger-contracts'
