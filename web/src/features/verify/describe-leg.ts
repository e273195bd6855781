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
}

/**
 * Names the account of a posting in plain words, such as `Your Wallet Balance`. `ownerId` is the
 * reader's own id, or null if the reader is not known. Returns null if the account is not known.
 */
export function describeLeg(
  { account: code, amountMinor }: { account: string; amountMinor: bigint },
  ownerId: string | null,
): string | null {
  const [account = ''] = code.split('@')
  const [first = '', id, ...rest] = account.split(':')
  if (isCash(code)) {
    const name = account === 'cash:treasury' ? 'treasury' : 'payment account'
    return `${amountMinor < 0n ? 'Received in' : 'Paid from'} the platform’s ${name}`
  }
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

/** Returns true for an account that holds cash. Money that it receives is a debit, below zero. */
export function isCash(code: string): boolean {
  return code.startsWith('cash:')
}
