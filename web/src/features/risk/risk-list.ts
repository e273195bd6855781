import {
  Hourglass,
  KeyRound,
  ShieldOff,
  TrendingDown,
  UserRound,
  WalletMinimal,
} from 'lucide-react'

import type { Feature } from '../site/index.ts'

export const RISKS: readonly Feature[] = [
  {
    icon: TrendingDown,
    title: 'You can lose everything you invest',
    text: 'What comes back to you is paid by the operator of this site. If the operator cannot or does not pay, your principal and your profit are gone.',
  },
  {
    icon: WalletMinimal,
    title: 'Profit is promised, not guaranteed',
    text: 'The percentage of a plan is what the operator promises to pay from its own reserve. The reserve may hold less than all that was promised; the home page shows how much less.',
  },
  {
    icon: Hourglass,
    title: 'Your money is bound until the end of the term',
    text: 'A running investment cannot be sold. Some plans do not return the principal at all: their card says so, and you are asked once more before you pay.',
  },
  {
    icon: ShieldOff,
    title: 'Nobody compensates you',
    text: 'Neither your balance nor an investment is a bank deposit. No deposit guarantee and no compensation scheme covers them.',
  },
  {
    icon: UserRound,
    title: 'People decide, and take their time',
    text: 'Deposits and withdrawals are checked by people. A withdrawal can be late or declined with a reason, and pauses for a while after a change of your password or e-mail.',
  },
  {
    icon: KeyRound,
    title: 'What has left cannot be called back',
    text: 'Whoever has your login can ask for your money: use a password of its own, and a second factor. A payment in a cryptocurrency to a wrong address or over another network is lost for everybody.',
  },
]

export const PROVED = [
  'Every deposit, purchase, credit and payout is an entry of a log that only grows, and your balance is what its entries add up to.',
  'No profit was ever booked from another investor’s money: it comes from what the operator set aside, and the coverage shows how much of it there is.',
  'A receipt of an entry can be checked in your own browser, without asking us.',
]
export const NOT_PROVED = [
  'That a bank account really holds the money. The books say what should be there; only a statement of the bank says what is.',
  'That the operator will pay. A promise in the books is a debt, and debtors can fail.',
  'That the operator is honest or licensed. Look it up in the register of your country before you pay.',
]
