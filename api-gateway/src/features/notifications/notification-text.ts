import type { Notification, Permission } from '@cairn/gateway-contracts'
import type { EventDataOf, RecordedEvent } from '@cairn/ledger-contracts'
import { type FactWith, parseFactWith } from '../../platform/find-effects.ts'
import { formatMoney, formatSiteTime } from '../../platform/site-format.ts'

type Recipient =
  | { userId: string }
  /** All administrators with this permission. */
  | { userId: null; permission: Permission }

export type NotificationText = Recipient & {
  kind: Notification['kind']
  title: string
  body: string
  link: string
}

type NotifyingFact = FactWith<'notification'>

/** Returns the notifications that an event causes. */
export function listNotificationTexts(event: RecordedEvent): readonly NotificationText[] {
  const fact = parseFactWith('notification', event)
  return fact === null ? [] : toNotifications(fact)
}

function toNotifications(fact: NotifyingFact): readonly NotificationText[] {
  switch (fact.type) {
    case 'InvestorActivated':
      return [
        {
          userId: fact.data.investorId,
          kind: 'security',
          title: 'Your account is active',
          body: 'You can deposit, invest and withdraw.',
          link: '/manage/investor/dashboard',
        },
      ]
    case 'DepositRequested':
    case 'DepositApproved':
    case 'DepositDeclined':
    case 'DepositReversed':
      return describeDeposit(fact)
    case 'WithdrawalRequested':
    case 'WithdrawalApproved':
    case 'WithdrawalDeclined':
    case 'WithdrawalReversed':
      return describeWithdrawal(fact)
    case 'WalletFunded':
      return [
        describeWalletChange(
          fact.data,
          `${formatMoney(fact.data.amountMinor)} added to your wallet`,
        ),
      ]
    case 'WalletAdjusted': {
      const moved = fact.data.isCredit ? 'added to' : 'taken from'
      return [
        describeWalletChange(
          fact.data,
          `${formatMoney(fact.data.amountMinor)} ${moved} your wallet`,
        ),
      ]
    }
    case 'InvestmentOpened':
    case 'InvestmentMatured':
    case 'InvestmentDenied':
    case 'InvestmentCancelled':
      return describeInvestment(fact)
    case 'ReferralBonusPaid':
      return [describeBonus(fact.data)]
  }
}

function describeWalletChange(
  data: { investorId: string; transactionId: string },
  title: string,
): NotificationText {
  const body = 'Your transactions show the details.'
  return { userId: data.investorId, kind: 'transfer', title, body, link: getTransactionPath(data) }
}

function describeDeposit(
  fact: Extract<NotifyingFact, { type: `Deposit${string}` }>,
): readonly NotificationText[] {
  const { investorId: userId, amountMinor, feeMinor } = fact.data
  const amount = formatMoney(amountMinor)
  const link = getTransactionPath(fact.data)
  switch (fact.type) {
    case 'DepositRequested':
      return [describeRequest(`A deposit of ${amount} is waiting`, fact.data)]
    case 'DepositApproved': {
      const body = `${formatMoney(amountMinor - feeMinor)} is in your Wallet Balance.`
      return [{ userId, kind: 'deposit', title: `Deposit of ${amount} approved`, body, link }]
    }
    case 'DepositDeclined': {
      const body = fact.data.reason ?? 'Nothing was credited.'
      return [{ userId, kind: 'deposit', title: `Deposit of ${amount} declined`, body, link }]
    }
    case 'DepositReversed':
      return [
        {
          userId,
          kind: 'deposit',
          title: `Deposit of ${amount} reversed`,
          body: fact.data.reason,
          link,
        },
      ]
  }
}

function describeWithdrawal(
  fact: Extract<NotifyingFact, { type: `Withdrawal${string}` }>,
): readonly NotificationText[] {
  const { investorId: userId, amountMinor, feeMinor } = fact.data
  const amount = formatMoney(amountMinor)
  const link = getTransactionPath(fact.data)
  switch (fact.type) {
    case 'WithdrawalRequested':
      return [describeRequest(`A withdrawal of ${amount} is waiting`, fact.data)]
    case 'WithdrawalApproved': {
      const body = `${formatMoney(amountMinor - feeMinor)} was paid to your bank account.`
      return [{ userId, kind: 'withdrawal', title: `Withdrawal of ${amount} paid`, body, link }]
    }
    case 'WithdrawalDeclined': {
      const reason = fact.data.reason === null ? '' : ` ${fact.data.reason}`
      const body = `The amount is back in your wallet.${reason}`
      return [{ userId, kind: 'withdrawal', title: `Withdrawal of ${amount} declined`, body, link }]
    }
    case 'WithdrawalReversed':
      return [
        {
          userId,
          kind: 'withdrawal',
          title: `Withdrawal of ${amount} reversed`,
          body: fact.data.reason,
          link,
        },
      ]
  }
}

function describeInvestment(
  fact: Extract<NotifyingFact, { type: `Investment${string}` }>,
): readonly NotificationText[] {
  const { investorId: userId, investmentId } = fact.data
  const link = `/manage/investor/investments?investment=${investmentId}`
  const principal = formatMoney(fact.data.principalMinor)
  switch (fact.type) {
    case 'InvestmentOpened': {
      const plan = fact.data.planName ?? 'a plan'
      const body = `Promised profit: ${formatMoney(fact.data.promisedMinor)} until ${formatSiteTime(fact.data.expiresAt)}.`
      const title = `${principal} invested in ${plan}`
      return [{ userId, kind: 'investment', title, body, link }]
    }
    case 'InvestmentMatured': {
      const body = fact.data.isPrincipalReturned
        ? `${principal} is back in your Wallet Balance.`
        : 'As stated in its terms, the principal is not returned.'
      const title = `An investment has ended with ${formatMoney(fact.data.creditedMinor)} profit`
      return [{ userId, kind: 'investment', title, body, link }]
    }
    case 'InvestmentDenied':
      return [
        {
          userId,
          kind: 'investment',
          title: `An investment was ended: ${formatMoney(fact.data.returnedMinor)} is back in your Wallet Balance`,
          body: fact.data.reason,
          link,
        },
        ...describeReturnedBonus(fact.data),
      ]
    // The investor cancelled the investment and therefore needs no notification.
    case 'InvestmentCancelled':
      return describeReturnedBonus(fact.data)
  }
}

function describeBonus({
  bonusTo,
  bonusMinor,
}: EventDataOf<'ReferralBonusPaid'>): NotificationText {
  return {
    userId: bonusTo,
    kind: 'referral',
    title: `You earned ${formatMoney(bonusMinor)} from a referral`,
    body: 'A user you referred has invested.',
    link: '/manage/investor/referrals',
  }
}

function describeReturnedBonus(
  returned: EventDataOf<'InvestmentCancelled' | 'InvestmentDenied'>,
): readonly NotificationText[] {
  const { bonusTo, bonusReturnedMinor, declinedWithdrawals } = returned
  if (bonusTo === null || bonusReturnedMinor === 0n) return []
  const declined =
    declinedWithdrawals.length === 0 ? '' : ' Pending withdrawals of this bonus were declined.'
  return [
    {
      userId: bonusTo,
      kind: 'referral',
      title: `A referral bonus of ${formatMoney(bonusReturnedMinor)} was taken back`,
      body: `The investment of the user you referred was ended early.${declined}`,
      link: '/manage/investor/referrals',
    },
  ]
}

function describeRequest(
  title: string,
  { transactionId }: { transactionId: string },
): NotificationText {
  return {
    userId: null,
    permission: 'transactions.decide',
    kind: 'review',
    title,
    body: 'It is waiting for a decision.',
    link: getReviewPath(transactionId),
  }
}

/** Returns the link of the notifications about a pending request. */
export function getReviewPath(transactionId: string): string {
  return `/manage/admin/transactions?transaction=${transactionId}`
}

function getTransactionPath({ transactionId }: { transactionId: string }): string {
  return `/manage/investor/transactions?transaction=${transactionId}`
}
