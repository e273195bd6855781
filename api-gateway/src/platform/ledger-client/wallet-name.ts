import type { WalletAmounts, WalletName } from '@cairn/gateway-contracts'
import { toAmount } from '@cairn/gateway-contracts'
import { WALLET_LABELS } from '@cairn/gateway-contracts/wallet-labels'
import type { InvestorSummary, Wallet } from '@cairn/ledger-contracts'

/** Converts the name of a wallet in the API to its name in the ledger. */
export function toLedgerWallet(name: WalletName): Wallet {
  return name === 'referralBalance' ? 'referral' : name
}

export function toWalletName(wallet: Wallet): WalletName
export function toWalletName(wallet: string): string
export function toWalletName(wallet: string): string {
  return wallet === 'referral' ? 'referralBalance' : wallet
}

/** Returns the name of a wallet that people see. */
export function getWalletLabel(wallet: Wallet): string {
  return WALLET_LABELS[toWalletName(wallet)]
}

export function toWalletAmounts(amounts: InvestorSummary['available']): WalletAmounts {
  return {
    balance: toAmount(amounts.balance),
    profit: toAmount(amounts.profit),
    referralBalance: toAmount(amounts.referral),
  }
}

export const EMPTY_WALLET: WalletAmounts = { balance: 0, profit: 0, referralBalance: 0 }
