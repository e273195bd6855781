import type { WalletName } from '@cairn/gateway-contracts'

/** The names of the wallets. Each page uses these names. */
export const WALLET_LABELS = {
  balance: 'Wallet Balance',
  profit: 'Investment Profit',
  referralBalance: 'Referral Earnings',
} as const satisfies Record<WalletName, string>
