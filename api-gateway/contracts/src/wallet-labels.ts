import type { WalletName } from './users.ts'

/** The names of the wallets on pages, in mails and in documents. */
export const WALLET_LABELS = {
  balance: 'Wallet Balance',
  profit: 'Investment Profit',
  referralBalance: 'Referral Earnings',
} as const satisfies Record<WalletName, string>
