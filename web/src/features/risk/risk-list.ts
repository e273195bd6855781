export const RISKS = [
  {
    title: 'You can lose everything you invest',
    text: 'The operator of this site pays your principal and profit. If the operator cannot or does not pay, you lose both.',
  },
  {
    title: 'Profit is promised, not guaranteed',
    text: 'The operator promises to pay the profit percentage of each plan from the operator’s own reserve. The reserve may be smaller than the promised profit; the home page shows the shortfall.',
  },
  {
    title: 'The amount you invest is locked until the end of the term',
    text: 'A running investment cannot be sold; only the credited profit can be withdrawn. A plan can keep the principal; its description then states this, and you must confirm it before you pay.',
  },
  {
    title: 'There is no compensation scheme',
    text: 'Your balance and your investments are not bank deposits. No deposit guarantee or compensation scheme covers them.',
  },
  {
    title: 'Requests are reviewed by people',
    text: 'Administrators review deposits and withdrawals, and approve a withdrawal after paying it. A withdrawal can be delayed, or declined with a reason. Withdrawals can be paused after a change to your password or email.',
  },
  {
    title: 'Payments cannot be recalled',
    text: 'A person who has your login can request withdrawals, so use a unique password and a second factor. A cryptocurrency payment to the wrong address or over the wrong network is lost.',
  },
] as const

export const PROVED = [
  'Every deposit, purchase, credit and payout is an event in an append-only ledger, and your balance is the sum of its postings.',
  'Profit is not booked from another investor’s money. It is booked from the operator’s reserve, and the coverage shows how much of the promised profit the reserve in the ledger covers.',
  'The receipt of an event shows that the event is in the signed ledger. Your browser can verify it.',
]
export const NOT_PROVED = [
  'That a bank account holds the money. The ledger states what the account should hold; only a bank statement shows what the account holds.',
  'From whose money a withdrawal is paid. The payment accounts hold the deposits of all investors and pay all withdrawals.',
  'That the operator will pay. A promised profit is a debt, and a debtor can default.',
  'That the operator is honest or licensed. Check the register of your country before you pay.',
]
