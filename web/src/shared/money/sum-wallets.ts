import type { WALLET_LABELS } from '@cairn/gateway-contracts/wallet-labels'
import { type Minor, toMinor } from './money.ts'

type WalletName = keyof typeof WALLET_LABELS

/** Adds up the amounts of the three wallets. */
export function sumWallets(amounts: Readonly<Record<WalletName, number>>): Minor {
  return toMinor(amounts.balance) + toMinor(amounts.profit) + toMinor(amounts.referralBalance)
}
