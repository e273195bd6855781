import type { LiveTopic, TransactionStep } from '@cairn/gateway-contracts'
import type { EventType } from '@cairn/ledger-contracts'
import type { z } from 'zod'

/** The effects of an event in the gateway; null for an effect that the event does not have. */
export interface Effects {
  /** The topics that open pages must load again. `balance` is added if the event has postings. */
  topics: readonly LiveTopic[] | null
  /** The users whose open pages load the topics again. Administrators are always included. */
  audience: 'investors named in the event' | 'all users'
  /** The step that a transaction's timeline shows for the event. */
  step: z.infer<typeof TransactionStep>['kind']
  mail: 'sent' | null
  notification: 'sent' | null
  chart: 'flows' | null
}

/** The effects of an event that changes no page of a user and causes no notification or mail. */
const RECORDED_ONLY = {
  topics: [],
  audience: 'investors named in the event',
  step: 'recorded',
  mail: null,
  notification: null,
  chart: null,
} as const satisfies Effects

const WITHOUT_EFFECT = {
  topics: [],
  audience: 'investors named in the event',
  step: 'recorded',
  mail: null,
  notification: null,
  chart: null,
} as const

/**
 * The effects of each type of event. A new type does not compile until its effects are listed here.
 */
export const EVENT_EFFECTS = {
  InvestorActivated: {
    topics: ['account'],
    audience: 'investors named in the event',
    step: 'recorded',
    mail: 'sent',
    notification: 'sent',
    chart: null,
  },
  InvestorSuspended: {
    topics: ['account'],
    audience: 'investors named in the event',
    step: 'recorded',
    mail: null,
    notification: null,
    chart: null,
  },
  InvestorClosed: {
    topics: ['account'],
    audience: 'investors named in the event',
    step: 'recorded',
    mail: null,
    notification: null,
    chart: null,
  },
  PlanDefined: {
    topics: ['plans'],
    audience: 'all users',
    step: 'recorded',
    mail: null,
    notification: null,
    chart: null,
  },
  MoneyRulesSet: {
    topics: ['settings'],
    audience: 'all users',
    step: 'recorded',
    mail: null,
    notification: null,
    chart: null,
  },
  DepositRequested: {
    topics: ['transactions', 'queue'],
    audience: 'investors named in the event',
    step: 'requested',
    mail: 'sent',
    notification: 'sent',
    chart: null,
  },
  DepositApproved: {
    topics: ['transactions', 'queue'],
    audience: 'investors named in the event',
    step: 'approved',
    mail: 'sent',
    notification: 'sent',
    chart: 'flows',
  },
  DepositDeclined: {
    topics: ['transactions', 'queue'],
    audience: 'investors named in the event',
    step: 'declined',
    mail: 'sent',
    notification: 'sent',
    chart: null,
  },
  DepositCancelled: {
    topics: ['transactions', 'queue'],
    audience: 'investors named in the event',
    step: 'cancelled',
    mail: null,
    notification: null,
    chart: null,
  },
  DepositReversed: {
    topics: ['transactions', 'queue'],
    audience: 'investors named in the event',
    step: 'reversed',
    mail: 'sent',
    notification: 'sent',
    chart: 'flows',
  },
  WithdrawalRequested: {
    topics: ['transactions', 'queue'],
    audience: 'investors named in the event',
    step: 'requested',
    mail: 'sent',
    notification: 'sent',
    chart: null,
  },
  WithdrawalApproved: {
    topics: ['transactions', 'queue'],
    audience: 'investors named in the event',
    step: 'approved',
    mail: 'sent',
    notification: 'sent',
    chart: 'flows',
  },
  WithdrawalHeld: {
    topics: ['transactions', 'queue'],
    audience: 'investors named in the event',
    step: 'recorded',
    mail: null,
    notification: null,
    chart: null,
  },
  WithdrawalDeclined: {
    topics: ['transactions', 'queue'],
    audience: 'investors named in the event',
    step: 'declined',
    mail: 'sent',
    notification: 'sent',
    chart: null,
  },
  WithdrawalCancelled: {
    topics: ['transactions', 'queue'],
    audience: 'investors named in the event',
    step: 'cancelled',
    mail: 'sent',
    notification: null,
    chart: null,
  },
  WithdrawalReversed: {
    topics: ['transactions', 'queue'],
    audience: 'investors named in the event',
    step: 'reversed',
    mail: 'sent',
    notification: 'sent',
    chart: 'flows',
  },
  WalletFunded: {
    topics: ['transactions'],
    audience: 'investors named in the event',
    step: 'recorded',
    mail: 'sent',
    notification: 'sent',
    chart: null,
  },
  WalletAdjusted: {
    topics: ['transactions'],
    audience: 'investors named in the event',
    step: 'recorded',
    mail: 'sent',
    notification: 'sent',
    chart: null,
  },
  ReserveFunded: {
    topics: ['transactions', 'queue'],
    audience: 'investors named in the event',
    step: 'recorded',
    mail: null,
    notification: null,
    chart: null,
  },
  ReserveWithdrawn: {
    topics: ['transactions', 'queue'],
    audience: 'investors named in the event',
    step: 'recorded',
    mail: null,
    notification: null,
    chart: null,
  },
  SweptToReserve: {
    topics: ['transactions', 'queue'],
    audience: 'investors named in the event',
    step: 'recorded',
    mail: null,
    notification: null,
    chart: null,
  },
  CurrencyChosen: {
    topics: ['settings'],
    audience: 'all users',
    step: 'recorded',
    mail: null,
    notification: null,
    chart: null,
  },
  ModelActivated: WITHOUT_EFFECT,
  AssetMoved: WITHOUT_EFFECT,
  ImportPermitted: RECORDED_ONLY,
  BalanceImported: RECORDED_ONLY,
  InvestmentOpened: {
    topics: ['investments', 'transactions'],
    audience: 'investors named in the event',
    step: 'recorded',
    mail: 'sent',
    notification: 'sent',
    chart: 'flows',
  },
  InvestmentMatured: {
    topics: ['investments', 'transactions'],
    audience: 'investors named in the event',
    step: 'recorded',
    mail: 'sent',
    notification: 'sent',
    chart: 'flows',
  },
  InvestmentCancelled: {
    topics: ['investments', 'transactions', 'queue'],
    audience: 'investors named in the event',
    step: 'recorded',
    mail: 'sent',
    notification: 'sent',
    chart: 'flows',
  },
  ReferralBonusPaid: {
    topics: ['transactions'],
    audience: 'investors named in the event',
    step: 'recorded',
    mail: 'sent',
    notification: 'sent',
    chart: null,
  },
  ReferralBonusForfeited: RECORDED_ONLY,
  InvestmentDenied: {
    topics: ['investments', 'transactions', 'queue'],
    audience: 'investors named in the event',
    step: 'recorded',
    mail: 'sent',
    notification: 'sent',
    chart: 'flows',
  },
  ProfitAccrued: {
    topics: ['investments', 'transactions'],
    audience: 'investors named in the event',
    step: 'recorded',
    mail: null,
    notification: null,
    chart: 'flows',
  },
  ApproverAdded: {
    topics: ['settings'],
    audience: 'investors named in the event',
    step: 'recorded',
    mail: null,
    notification: null,
    chart: null,
  },
  ApproverRemoved: {
    topics: ['settings'],
    audience: 'investors named in the event',
    step: 'recorded',
    mail: null,
    notification: null,
    chart: null,
  },
  AuditSealed: RECORDED_ONLY,
  MonthClosed: RECORDED_ONLY,
  KeyRotationPermitted: RECORDED_ONLY,
  SigningKeyReplaced: RECORDED_ONLY,
  LogForked: RECORDED_ONLY,
  DualControlSet: {
    topics: ['settings'],
    audience: 'all users',
    step: 'recorded',
    mail: null,
    notification: null,
    chart: null,
  },
} as const satisfies Readonly<Record<EventType, Effects>>
