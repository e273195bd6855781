/**
 * The explanations of the terms on the pages, by the name of the term in docs/glossary.md. The
 * glossary entry begins with the same text.
 */
export const TERMS = {
  coverage: {
    title: 'Reserve coverage',
    text: 'The share of the promised profit that the operator’s own money covers, in per cent. It does not cover any principal.',
  },
  principal: {
    title: 'Principal',
    text: 'The amount that was invested, without profit. The terms of the plan say whether it is returned at the end.',
  },
  accrued: {
    title: 'Accrued',
    text: 'Profit that has been credited so far, for the hours or days of an investment that have passed.',
  },
  held: {
    title: 'Held',
    text: 'Money of a pending withdrawal. It cannot be used until the withdrawal is approved, declined or cancelled.',
  },
  available: {
    title: 'Available',
    text: 'The sum of the three wallets: Wallet Balance, Investment Profit and Referral Earnings. It can be withdrawn; investments are bought from the Wallet Balance.',
  },
  owed: {
    title: 'Owed to investors',
    text: 'The three wallets of all investors, held withdrawals and the principal of running investments. Promised profit is added when it is credited.',
  },
  treasury: {
    title: 'Treasury',
    text: 'The cash account that belongs to no payment option. Money for the reserve is paid into it.',
  },
  'paid in and credited': {
    title: 'Paid in and credited, less withdrawals',
    text: 'Approved deposits less approved withdrawals, before fees, and what administrators credited to the wallets. The rest of the net worth is the gain.',
  },
  gain: {
    title: 'Gain',
    text: 'Profit and referral bonuses, less fees and principal that a plan keeps: the change of the net worth without deposits, withdrawals and credits by administrators.',
  },
  receipt: {
    title: 'Ledger receipt',
    text: 'A file that proves that one event is in the signed ledger and was not changed. Anyone can verify it.',
  },
  'payment proof': {
    title: 'Payment proof',
    text: 'A picture of the payment that a depositor uploads. An administrator compares it with the bank account.',
  },
} as const

export type TermName = keyof typeof TERMS
