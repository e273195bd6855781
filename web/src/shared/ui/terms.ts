/**
 * The explanations of the terms on the pages, by the name of the term in docs/glossary.md. The
 * glossary entry begins with the same text.
 */
export const TERMS = {
  coverage: {
    title: 'Reserve coverage',
    text: 'The share of the promised profit that the operator’s own money covers, in per cent; principal is not covered.',
  },
  principal: {
    title: 'Principal',
    text: 'The amount that was invested, without profit; the terms of the plan say whether it is returned at the end.',
  },
  accrued: {
    title: 'Accrued',
    text: 'Profit that has been credited so far, for the hours or days of an investment that have passed.',
  },
  held: {
    title: 'Held',
    text: 'Money of a pending withdrawal, which cannot be used until the withdrawal is approved, declined or cancelled.',
  },
  available: {
    title: 'Available',
    text: 'Money that can be withdrawn: the sum of the three wallets; only the Wallet Balance buys investments.',
  },
  owed: {
    title: 'Owed to investors',
    text: 'The three wallets of all investors, held withdrawals and the principal of running investments, but promised profit only when it is credited.',
  },
  treasury: {
    title: 'Treasury',
    text: 'The cash account that belongs to no payment option, into which money for the reserve is paid.',
  },
  'paid in and credited': {
    title: 'Paid in and credited, less withdrawals',
    text: 'Approved deposits less approved withdrawals, before fees, and what administrators credited to the wallets; the rest of the net worth is the gain.',
  },
  gain: {
    title: 'Gain',
    text: 'Profit and referral bonuses, less fees and principal that a plan keeps: the change of the net worth without deposits, withdrawals and credits by administrators.',
  },
  receipt: {
    title: 'Ledger receipt',
    text: 'A file with which anyone can verify that one event is in the signed ledger and was not changed.',
  },
  'payment proof': {
    title: 'Payment proof',
    text: 'A picture of the payment that a depositor uploads and an administrator compares with the bank account.',
  },
} as const

export type TermName = keyof typeof TERMS
