import type { Faq } from '@cairn/gateway-contracts'
import type { RulesInForce } from '@cairn/ledger-contracts'
import { formatMoney } from '../../platform/site-format.ts'
import { type AnswerPlace, createAnsweredQuestion } from './answered-question.ts'

/** No stored question has this id: ids of migrations begin at 1, others begin with a time. */
const ID = '00000000000000000000'

type Rules = Pick<
  RulesInForce,
  'minimumDepositMinor' | 'minimumWithdrawalMinor' | 'depositFeePpm' | 'withdrawalFeePpm'
>

/**
 * Answers the question about minimum amounts and fees from the money rules in force. The answer is
 * not stored, so it cannot differ from the rules.
 */
export function answerAmounts(rules: Rules, place: AnswerPlace): Faq {
  const { minimumDepositMinor, minimumWithdrawalMinor, depositFeePpm, withdrawalFeePpm } = rules
  const deposits = `Deposits: at least ${formatMoney(minimumDepositMinor)}, ${describeFee(depositFeePpm)}.`
  const withdrawals = `Withdrawals: at least ${formatMoney(minimumWithdrawalMinor)}, ${describeFee(withdrawalFeePpm)}.`
  const answer = `${deposits} ${withdrawals} Each plan states its own minimum.`
  const question = 'What are the minimum amounts and the fees?'
  return createAnsweredQuestion({ id: ID, question, answer }, place)
}

function describeFee(ppm: number): string {
  return ppm === 0 ? 'no fee' : `fee ${ppm / 10_000}%`
}
