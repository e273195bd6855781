import { expect, test } from 'vitest'
import { answerTimes } from './time-question.ts'

const HOUR_MS = 3_600_000

test('the times of deposits and withdrawals are the measured ones', () => {
  const deposit = { count: 38, medianMs: 20.4 * HOUR_MS, p90Ms: 35 * HOUR_MS }
  const withdrawal = { count: 20, medianMs: 40 * HOUR_MS, p90Ms: 72 * HOUR_MS }
  const { answer } = answerTimes({ deposit, withdrawal }, { position: 4, now: new Date(0) })
  expect(answer).toContain(
    'Of 38 deposits requested in the last 30 days and decided, half were decided within 21 hours, nine out of ten within 35 hours.',
  )
  expect(answer).toContain(
    'Of 20 withdrawals requested in the last 30 days and decided, half were decided within 40 hours, nine out of ten within 3 days.',
  )
})

test('a kind with few decisions has no time', () => {
  const few = { count: 19, medianMs: HOUR_MS, p90Ms: HOUR_MS }
  const { answer } = answerTimes(
    { deposit: few, withdrawal: few },
    { position: 4, now: new Date(0) },
  )
  expect(answer).toContain('fewer than 20 of each')
  expect(answer).not.toMatch(/hour|measured/)

  const enough = { ...few, count: 20 }
  const mixed = answerTimes({ deposit: enough, withdrawal: few }, { position: 4, now: new Date(0) })
  expect(mixed.answer).toMatch(/Of 20 deposits .* Fewer than 20 withdrawals requested/)
})
