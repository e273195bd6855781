import { formatCanonicalJson, parseFact } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'
import { openRuleBook, plainRules } from '../../../test/support/rule-book.ts'

// Data that earlier versions of the program have stored. The program must always be able to read
// these data.
const WITHOUT_LIMITS =
  '{"rules":{"approvalThresholdMinor":null,"coolingOffHours":"0","coverageMode":"disclose",' +
  '"depositFeePpm":"0","isReferralEnabled":true,"minimumDepositMinor":"1000",' +
  '"minimumWithdrawalMinor":"1000","withdrawalFeePpm":"0"},"version":"1"}'
const WITH_LIMITS =
  '{"rules":{"approvalThresholdMinor":null,"coolingOffHours":"0","coverageMode":"disclose",' +
  '"dailyWithdrawalLimitMinor":"500000","depositFeePpm":"0","isReferralEnabled":true,' +
  '"minimumDepositMinor":"1000","minimumWithdrawalMinor":"1000",' +
  '"monthlyWithdrawalLimitMinor":null,"withdrawalFeePpm":"0"},"version":"1"}'

test('a stored event without the limits is not valid', () => {
  expect(() => parseFact('MoneyRulesSet', JSON.parse(WITHOUT_LIMITS))).toThrow(
    'dailyWithdrawalLimitMinor',
  )
})

test('rules with limits have these bytes and are read from them', () => {
  const book = openRuleBook()
  const rules = { ...plainRules, dailyWithdrawalLimitMinor: 500_000n }
  book.when('SetMoneyRules', { rules })
  const { fact } = book.events().at(-1) ?? { fact: null }
  expect(formatCanonicalJson(fact?.data)).toBe(WITH_LIMITS)
  expect(parseFact('MoneyRulesSet', JSON.parse(WITH_LIMITS)).data).toEqual({ version: 1, rules })
})
