import { WALLET_LABELS } from '@cairn/gateway-contracts/wallet-labels'

const WALLETS: Readonly<Record<string, string>> = {
  balance: WALLET_LABELS.balance,
  profit: WALLET_LABELS.profit,
  referral: WALLET_LABELS.referralBalance,
  principal: 'invested principal',
}

const PLATFORM: Readonly<Record<string, string>> = {
  reserve: 'reserve',
  committed: 'promised profit',
  fees: 'fees',
  marketing: 'marketing account',
  adjustments: 'corrections account',
  income: 'income',
  opening: 'opening balances',
  cash: 'payment account',
}

/**
 * Names an account of a posting in plain words, such as `Your Wallet Balance`. `ownerId` is the
 * reader's own id, or null if the reader is not known. Returns null if the account is not known.
 */
export function describeLeg(code: string, ownerId: string | null): string | null {
  const [first = '', id, ...rest] = (code.split('@')[0] ?? '').split(':')
  if (first !== 'investor') {
    const name = Object.hasOwn(PLATFORM, first) ? PLATFORM[first] : undefined
    return name === undefined ? null : `The platform’s ${name}`
  }
  const isHeld = rest[0] === 'held'
  const wallet = rest[isHeld ? 1 : 0] ?? ''
  if (!Object.hasOwn(WALLETS, wallet)) return null
  const owner = ownerId === null ? 'The investor’s' : id === ownerId ? 'Your' : 'Another investor’s'
  return `${owner} ${WALLETS[wallet]}${isHeld ? ', held' : ''}`
}
