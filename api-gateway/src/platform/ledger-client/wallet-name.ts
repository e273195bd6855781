import type { WalletAmounts, WalletName } from '@cairn/gateway-contracts'
import { toAmount } from '@cairn/gateway-contracts'
import type { InvestorSummary, Wallet } from '@cairn/ledger-contracts'

/** The API names the wallet `referralBalance`, the ledger `referral`. */
export function toLedgerWallet(name: WalletName): Wallet {
  return name === 'referralBalance' ? 'referral' : name
}

export function toWalletName(wallet: string): string {
  return wallet === 'referral' ? 'referralBalance' : wallet
}

export function toWalletAmounts(amounts: InvestorSummary['available']): WalletAmounts {
  return {
    balance: toAmount(amounts.balance),
    profit: toAmount(amounts.profit),
    referralBalance: toAmount(amounts.referral),
  }
}

export const EMPTY_WALLET: WalletAmounts = { balance: 0, profit: 0, referralBalance: 0 }
