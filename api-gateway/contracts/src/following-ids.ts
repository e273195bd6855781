export { followingId } from '@cairn/ledger-contracts'
