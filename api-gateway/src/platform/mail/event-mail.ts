import type { EventDataOf } from '@cairn/ledger-contracts'
import { type FactWith, parseFactWith } from '../find-effects.ts'
import { getWalletLabel } from '../ledger-client/wallet-name.ts'
import { formatMoney } from '../site-format.ts'
import { writeInvestmentMail } from './investment-mail.ts'
import type { MailName } from './mail-kinds.ts'
import type { Values } from './markup.ts'
import { writeDepositMail, writeWithdrawalMail } from './transaction-mail.ts'

/** A mail that an event causes. `part` distinguishes the mails of one event. */
export interface EventMail {
  part: MailPart
  kind: MailName
  /**
   * The user whom the mail is about. A mail to administrators is about this user but is sent to the
   * administrators.
   */
  userId: string
  values: Values
}
export type MailPart = 'investor' | 'referrer' | 'office'

type MailedFact = FactWith<'mail'>

export function listMails(type: string, data: unknown): readonly EventMail[] {
  const fact = parseFactWith('mail', { type, data })
  if (fact === null) return []
  if (fact.type === 'ReferralBonusPaid') return [writeBonus(fact.data)]
  const userId = fact.data.investorId
  const own: EventMail = { part: 'investor', userId, ...writeMail(fact) }
  if (fact.type === 'DepositRequested' || fact.type === 'WithdrawalRequested') {
    const kind = fact.type === 'DepositRequested' ? 'admin-deposit' : 'admin-withdrawal'
    const amount = formatMoney(fact.data.amountMinor)
    const values = { amount, transaction: fact.data.transactionId }
    return [own, { part: 'office', kind, userId, values }]
  }
  if (fact.type === 'InvestmentCancelled' || fact.type === 'InvestmentDenied') {
    return [own, ...writeReturnedBonus(fact.data)]
  }
  return [own]
}

function writeBonus({ bonusTo, bonusMinor }: EventDataOf<'ReferralBonusPaid'>): EventMail {
  const values = { amount: formatMoney(bonusMinor) }
  return { part: 'referrer', kind: 'referral-earned', userId: bonusTo, values }
}

function writeReturnedBonus(
  returned: EventDataOf<'InvestmentCancelled' | 'InvestmentDenied'>,
): readonly EventMail[] {
  const { bonusTo, bonusReturnedMinor, declinedWithdrawals } = returned
  if (bonusTo === null || bonusReturnedMinor === 0n) return []
  const declinedMinor = declinedWithdrawals.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  const values = {
    amount: formatMoney(bonusReturnedMinor),
    declined: declinedMinor === 0n ? '' : formatMoney(declinedMinor),
  }
  return [{ part: 'referrer', kind: 'referral-returned', userId: bonusTo, values }]
}

function writeMail(fact: Exclude<MailedFact, { type: 'ReferralBonusPaid' }>): {
  kind: MailName
  values: Values
} {
  switch (fact.type) {
    case 'InvestorActivated':
      return { kind: 'welcome', values: {} }
    case 'DepositRequested':
    case 'DepositApproved':
    case 'DepositDeclined':
    case 'DepositReversed':
      return writeDepositMail(fact)
    case 'WithdrawalRequested':
    case 'WithdrawalApproved':
    case 'WithdrawalDeclined':
    case 'WithdrawalCancelled':
    case 'WithdrawalReversed':
      return writeWithdrawalMail(fact)
    case 'WalletFunded':
    case 'WalletAdjusted': {
      const { amountMinor, wallet } = fact.data
      const values = { amount: formatMoney(amountMinor), wallet: getWalletLabel(wallet) }
      if (fact.type === 'WalletFunded') return { kind: 'wallet-funded', values }
      const moved = fact.data.isCredit ? 'added to' : 'taken from'
      return { kind: 'wallet-corrected', values: { ...values, moved } }
    }
    case 'InvestmentOpened':
    case 'InvestmentMatured':
    case 'InvestmentDenied':
    case 'InvestmentCancelled':
      return writeInvestmentMail(fact)
  }
}
