import { describe, expect, test } from 'vitest'
import { jobIdOf } from '../jobs/job-id.ts'
import { toEventMail } from './event-mail.ts'
import { renderLetter } from './letter.ts'
import { createOutboxSeal } from './outbox-seal.ts'

const INVESTOR = '0123456789abcdefghjk'
const reader = { name: '<b>Anna</b> & co', publicUrl: 'https://cairn.test' }

describe('a letter', () => {
  test('escapes whatever people wrote', () => {
    const mail = renderLetter(
      { subject: 'Hi\r\nBcc: x@example.com', paragraphs: ['Reason: <script>"\'&'], code: '1234' },
      reader,
    )
    expect(mail.subject).toBe('Hi Bcc: x@example.com')
    expect(mail.html).toContain('Hello &lt;b&gt;Anna&lt;/b&gt; &amp; co,')
    expect(mail.html).toContain('&lt;script&gt;&quot;&#39;&amp;')
    expect(mail.html).not.toContain('<script>')
    expect(mail.text).toContain('Hello <b>Anna</b> & co,')
  })

  test('has the code on a line of its own', () => {
    const mail = renderLetter({ subject: 's', paragraphs: [], code: '0042' }, reader)
    expect(mail.text.split('\n')).toContain('0042')
  })
})

describe('a mail from an event', () => {
  const withdrawal = {
    transactionId: INVESTOR,
    investorId: INVESTOR,
    amountMinor: '10050',
    feeMinor: '50',
    source: 'profit',
  }

  test('says the amount, the fee and what is paid out', () => {
    const data = { ...withdrawal, cash: 'cash:x', payoutReference: 'REF-1' }
    expect(toEventMail('WithdrawalApproved', data)).toMatchObject({
      userId: INVESTOR,
      letter: {
        subject: 'Withdrawal of $100.50 approved',
        facts: [
          ['Amount', '$100.50'],
          ['From', 'Investment Profit'],
          ['Fee', '$0.50'],
          ['Paid out', '$100'],
          ['Reference', 'REF-1'],
        ],
      },
    })
  })

  test('gives the reason of a refusal', () => {
    const mail = toEventMail('WithdrawalDeclined', { ...withdrawal, reason: 'wrong account' })
    expect(mail?.letter.paragraphs).toContain('Reason: wrong account')
  })

  test('is not written for what nobody needs to be told', () => {
    expect(toEventMail('ProfitAccrued', {})).toBeNull()
  })
})

test('the same work has the same job id, a UUID', () => {
  expect(jobIdOf('event-1-7', 7n)).toBe(jobIdOf('event-1-7', 7n))
  expect(jobIdOf('event-1-7', 7n) < jobIdOf('event-1-300', 300n)).toBe(true)
  expect(jobIdOf('x', 0n)).not.toBe(jobIdOf('y', 0n))
  expect(jobIdOf('x', 0n)).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
})

test('what is sealed opens with the same secret only', () => {
  const sealed = createOutboxSeal('one').seal({ code: '1234' })
  expect(sealed.includes('1234')).toBe(false)
  expect(createOutboxSeal('one').open(sealed)).toEqual({ code: '1234' })
  expect(() => createOutboxSeal('two').open(sealed)).toThrow()
})
