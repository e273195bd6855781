// The exports for other features.
export { createWalletChanges } from './wallet-changes.ts'
