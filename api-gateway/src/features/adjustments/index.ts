export { createWalletChanges } from './wallet-changes.ts'
