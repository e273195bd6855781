import type { MailKind } from './mail-kind.ts'

const TRANSACTIONS = '[View Transactions]({{siteUrl}}/manage/investor/transactions)'
const INVESTMENTS = '[View Investments]({{siteUrl}}/manage/investor/investments)'
const DASHBOARD = '[Open your dashboard]({{siteUrl}}/manage/investor/dashboard)'
const DEPOSIT = '- Amount: {{amount}}\n- Fee: {{fee}}\n- Credited: {{net}}'
const WITHDRAWAL = '- Amount: {{amount}}\n- From: {{source}}\n- Fee: {{fee}}\n- Paid out: {{net}}'
const REASON = 'Reason: {{reason}}'

const deposit = { amount: '$250', fee: '$2.50', net: '$247.50' }
const withdrawal = { ...deposit, source: 'Investment Profit' }
const reason = 'The payment proof cannot be read'
const amount = '$500'

/** Mails about money. A line is omitted if one of its placeholders has no value. */
export const MONEY_MAILS = {
  'deposit-received': {
    title: 'Deposit requested',
    subject: 'Deposit of {{amount}} requested',
    body:
      'We have received your request. The money is added to your Wallet Balance after a person has checked your payment.\n\n' +
      `- Amount: {{amount}}\n- Fee: {{fee}}\n- To be credited: {{net}}\n\n${TRANSACTIONS}`,
    samples: deposit,
    preference: 'transactionAlerts',
  },
  'deposit-approved': {
    title: 'Deposit approved',
    subject: 'Deposit of {{amount}} approved',
    body: `Your deposit has been approved and is in your Wallet Balance.\n\n${DEPOSIT}\n- You stated: {{stated}}\n\n${DASHBOARD}`,
    samples: { ...deposit, stated: '$260' },
  },
  'deposit-declined': {
    title: 'Deposit declined',
    subject: 'Deposit of {{amount}} declined',
    body: `Your deposit has been declined.\n\n${REASON}\n\n- Amount: {{amount}}\n\n${TRANSACTIONS}`,
    samples: { amount: '$250', reason },
  },
  'deposit-corrected': {
    title: 'Deposit corrected',
    subject: 'Deposit of {{amount}} corrected',
    body: `{{correction}}\n\n${REASON}\n\n${DEPOSIT}\n\n${TRANSACTIONS}`,
    samples: {
      ...deposit,
      correction:
        'The approval of your deposit was reversed. The amount was taken out of your Wallet Balance.',
      reason,
    },
  },
  'withdrawal-requested': {
    title: 'Withdrawal requested',
    subject: 'Withdrawal of {{amount}} requested',
    body:
      'We have received your request, and the amount is held. A person checks the request, pays it to your bank account and then approves it.\n\n' +
      `${WITHDRAWAL}\n\nIf this was not you, cancel the withdrawal and set a new password at once.\n\n${TRANSACTIONS}`,
    samples: withdrawal,
  },
  'payout-requested': {
    title: 'Payout of an inactive account',
    subject: 'Your balance of {{amount}} is being paid out',
    body:
      'Your account is not active, so the platform has started to pay out your balance to your bank account. ' +
      `The amount is held until a person has paid it and approved the payout.\n\n${WITHDRAWAL}\n\n` +
      'If you have a question about it, write to us.\n\n[Contact us]({{siteUrl}}/contact_us)',
    samples: withdrawal,
  },
  'withdrawal-approved': {
    title: 'Withdrawal approved',
    subject: 'Withdrawal of {{amount}} approved',
    body: `Your withdrawal has been paid to your bank account and approved.\n\n${WITHDRAWAL}\n- Reference: {{reference}}\n\n${TRANSACTIONS}`,
    samples: { ...withdrawal, reference: 'PAY-2026-0042' },
  },
  'withdrawal-declined': {
    title: 'Withdrawal declined',
    subject: 'Withdrawal of {{amount}} declined',
    body: `Your withdrawal has been declined. The amount is back in your wallet.\n\n${REASON}\n\n${WITHDRAWAL}\n\n${TRANSACTIONS}`,
    samples: { ...withdrawal, reason },
  },
  'withdrawal-cancelled': {
    title: 'Withdrawal cancelled',
    subject: 'Withdrawal of {{amount}} cancelled',
    body: `You cancelled your withdrawal. The amount is back in your wallet.\n\n${WITHDRAWAL}\n\n${TRANSACTIONS}`,
    samples: withdrawal,
    preference: 'transactionAlerts',
  },
  'withdrawal-corrected': {
    title: 'Withdrawal corrected',
    subject: 'Withdrawal of {{amount}} corrected',
    body: `{{correction}}\n\n${REASON}\n\n${WITHDRAWAL}\n\n${TRANSACTIONS}`,
    samples: {
      ...withdrawal,
      correction:
        'The payment of your approved withdrawal failed. The amount is back in your wallet.',
      reason,
    },
  },
  'wallet-funded': {
    title: 'Money added by the platform',
    subject: '{{amount}} added to your wallet',
    body: `Your wallet has been credited by the platform.\n\n- Amount: {{amount}}\n- Wallet: {{wallet}}\n\n${DASHBOARD}`,
    samples: { amount: '$20', wallet: 'Wallet Balance' },
  },
  'wallet-corrected': {
    title: 'Wallet corrected by the platform',
    subject: '{{amount}} {{moved}} your wallet',
    body: `{{correction}}\n\n- Amount: {{amount}}\n- Wallet: {{wallet}}\n\n${TRANSACTIONS}`,
    samples: {
      amount: '$20',
      wallet: 'Wallet Balance',
      moved: 'taken from',
      correction: 'Two administrators have corrected your wallet.',
    },
  },
  'investment-started': {
    title: 'Investment started',
    subject: 'Investment of {{amount}} started',
    body:
      'Your investment has started.\n\n- Plan: {{plan}}\n- Amount: {{amount}}\n- Profit over the term: {{profit}}\n' +
      `- Term: {{term}}\n- Ends: {{ends}}\n\n${INVESTMENTS}`,
    samples: {
      amount,
      plan: 'Starter Plan',
      profit: '$25',
      term: '30 days',
      ends: '2026-12-21 09:30 UTC',
    },
    preference: 'investmentUpdates',
  },
  'investment-matured': {
    title: 'Investment matured',
    subject: 'Investment of {{amount}} matured',
    body: `Your investment has reached the end of its term. {{principal}}\n\n- Amount: {{amount}}\n- Profit: {{profit}}\n\n${INVESTMENTS}`,
    samples: {
      amount,
      profit: '$25',
      principal: 'The amount you invested is back in your Wallet Balance.',
    },
    preference: 'investmentUpdates',
  },
  'investment-cancelled': {
    title: 'Investment cancelled',
    subject: 'Investment of {{amount}} cancelled',
    body: `You cancelled your investment in time. The amount is back in your Wallet Balance.\n\n- Amount: {{amount}}\n\n${INVESTMENTS}`,
    samples: { amount },
    preference: 'investmentUpdates',
  },
  'investment-denied': {
    title: 'Investment ended by the platform',
    subject: 'Investment of {{invested}} ended',
    body:
      `Your investment was ended by the platform.\n\n{{principal}}\n\n${REASON}\n\n- Amount: {{invested}}\n` +
      `- Returned: {{amount}}\n\n${INVESTMENTS}`,
    samples: {
      amount: '$225',
      invested: amount,
      principal:
        'The amount you invested, less the credited profit, is back in your Wallet Balance.',
      reason,
    },
  },
  'referral-earned': {
    title: 'Referral earned',
    subject: 'You earned {{amount}} from a referral',
    body: 'A user you referred has invested.\n\n- Earned: {{amount}}\n\n[View your referrals]({{siteUrl}}/manage/investor/referrals)',
    samples: { amount: '$5' },
    preference: 'accountActivity',
  },
  'referral-returned': {
    title: 'Referral bonus taken back',
    subject: 'A referral bonus was taken back',
    body:
      'The investment for which you earned a referral bonus was cancelled or ended early.\n\n- Taken back: {{amount}}\n' +
      '- Declined withdrawals: {{declined}}\n\n[View your referrals]({{siteUrl}}/manage/investor/referrals)',
    samples: { amount: '$5', declined: '$20' },
  },
  'statement-ready': {
    title: 'Monthly statement',
    subject: 'Your {{siteName}} statement for {{month}}',
    body: 'Your statement for {{month}} is attached. You can also download it from your statements.\n\n[View your statements]({{siteUrl}}/manage/investor/statements)',
    samples: { month: 'October 2026' },
    preference: 'monthlyStatement',
  },
} as const satisfies Record<string, MailKind>
