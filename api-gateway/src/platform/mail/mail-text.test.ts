import { SITE_PATHS } from '@cairn/gateway-contracts'
import { describe, expect, test } from 'vitest'
import { createJobId } from '../jobs/job-id.ts'
import { listMails } from './event-mail.ts'
import { COMMON_SAMPLES, MAIL_KINDS, MAIL_NAMES, type MailName } from './mail-kinds.ts'
import { renderMail } from './render.ts'
import { findProblems } from './template.ts'

const INVESTOR = '0123456789abcdefghjk'
const OTHER = 'zzzzzzzzzzzzzzzzzzzz'
const site = { name: '<b>Anna</b> & co', siteName: 'Rock & Co', siteUrl: 'https://rock.test' }

describe('a mail', () => {
  test('escapes whatever people wrote, and never interprets it as markup', async () => {
    const reason = '<script>"\'&\n\n# 9999\n\n[Win]({{siteUrl}}/x) {{code}} **not bold**'
    const template = { subject: 'Hi {{reason}}', body: 'Reason: {{reason}}\n\n# {{code}}' }
    const mail = await renderMail(template, { ...site, reason, code: '0042' })
    expect(mail.subject.split('\n')).toHaveLength(1)
    expect(mail.html).toContain('Hello &lt;b&gt;Anna&lt;/b&gt; &amp; co,')
    expect(mail.html).toContain('&lt;script&gt;&quot;&#39;&amp;')
    expect(mail.html).not.toMatch(/<script|<strong|<a [^>]*rock\.test\/x/)
    expect(mail.html).toContain('{{code}}')
    expect(mail.text).toContain('Hello <b>Anna</b> & co,')
    expect(mail.text.split('\n')).toContain('0042')
  })

  test('is in the name and the colours of the site', async () => {
    const mail = await renderMail(MAIL_KINDS.welcome, site)
    expect(mail.subject).toBe('Welcome to Rock & Co')
    expect(mail.html).toContain('Rock &amp; Co')
    expect(mail.html).toContain('href="https://rock.test/manage/investor/dashboard"')
    expect(mail.html).toContain('#0e5c4a')
  })

  test('omits lines with a placeholder that has no value', async () => {
    const amounts = { amount: '$250', fee: '', net: '', reason: '' }
    const declined = await renderMail(MAIL_KINDS['deposit-declined'], { ...site, ...amounts })
    expect(declined.text).not.toContain('Reason')
    const received = await renderMail(MAIL_KINDS['deposit-received'], { ...site, ...amounts })
    expect(received.text).toContain('Amount: $250')
    expect(received.text).not.toContain('Fee')
  })

  test('of a requested deposit does not say that the money is there', async () => {
    const values = { amount: '$250', fee: '$2.50', net: '$247.50' }
    const mail = await renderMail(MAIL_KINDS['deposit-received'], { ...site, ...values })
    expect(mail.subject).toBe('Deposit of $250 requested')
    expect(mail.text).toContain('To be credited: $247.50')
    expect(mail.text).not.toMatch(/received your deposit|^- Credited/m)
  })

  test.each(['withdrawal-requested', 'payout-requested', 'withdrawal-approved'] as const)(
    'of kind %s names the payment of a withdrawal before its approval',
    (name) => {
      const { body } = MAIL_KINDS[name]
      const [paid, approved] = [body.search(/pays|paid/), body.search(/approve/)]
      expect(paid).toBeGreaterThan(0)
      expect(approved).toBeGreaterThan(paid)
    },
  )

  test.each(MAIL_NAMES)('of kind %s has a valid built-in template', async (name) => {
    const kind = MAIL_KINDS[name]
    expect(findProblems(name, kind)).toEqual([])
    const mail = await renderMail(kind, { ...COMMON_SAMPLES, ...kind.samples })
    for (const text of Object.values(mail)) expect(text).not.toMatch(/\{\{|undefined/)
    for (const sample of Object.values(kind.samples)) {
      expect(`${mail.subject}\n${mail.text}`).toContain(sample)
    }
  })
})

test('unknown, missing and broken placeholders are refused', () => {
  const listProblemFields = (kind: MailName, subject: string, body: string) =>
    findProblems(kind, { subject, body }).flatMap((problem) => Object.keys(problem))
  expect(listProblemFields('welcome', 'Hi', 'Your code is {{code}}')).toEqual(['body'])
  expect(listProblemFields('welcome', 'Hi {{amount}}', 'x')).toEqual(['subject'])
  expect(listProblemFields('verification-code', 'Hi', 'no code')).toEqual(['body'])
  expect(listProblemFields('welcome', 'Hi', '{{name')).toEqual(['body'])
  expect(listProblemFields('verification-code', 'Hi {{name}}', '# {{code}}')).toEqual([])
})

describe('a template links to this site only', () => {
  const findResetProblems = (body: string) =>
    findProblems('password-reset', { subject: 'Hi', body })

  test.each([
    '[Set]({{siteUrl}}@evil.example/x)',
    '[Set]({{ siteUrl }}@evil.example)',
    '[Set]({{siteUrl}}.evil.example/x)',
    '[Set]({{siteUrl}}{{name}}/x)',
    '[Set]({{siteUrl}}:8443/x)',
    '[Set]({{siteUrl}}//evil.example/x)',
    '[Set](https://evil.example/x)',
    'https://user:password@evil.example/',
    'user:password@evil.example/reset',
    'help@evil.example:8080/',
    '//evil.example',
    'www.evil.example',
    'evil.example/reset',
    'evil.example',
    'Evil.Example?x=1',
    'evilé.example/x',
    'evil.example:8080',
    'bank.xn--p1ai/login',
    'bank.XN--P1AI',
    'xn--80ak6aa92e.com',
    'bank\u3002com/login',
    'bank\uff0ecom',
    'bank\uff61xn--p1ai/login',
    'www\uff61bank',
    'help@bank\u3002com:8080/',
    '192.0.2.7/reset',
    'https://evil.example/?to={{siteUrl}}/x',
  ])('%s is refused, by name', (text) => {
    const [problem] = findResetProblems(`Set it.\n\n${text}`)
    expect(problem?.body).toMatch(/^Links may lead only to this site: .*, not \S+$/)
  })

  test.each([
    'Write to help@cairn.example, or look at {{siteUrl}}.',
    '[Questions]({{siteUrl}}/faqs?from=mail#top)',
    'Copy {{siteUrl}}/faqs into your browser and/or ask us, e.g. by mail.',
    '({{siteUrl}}) **{{siteUrl}}**',
    'Write to help@cairn.xn--p1ai.',
    'ご利用ありがとうございます。入金を確認しました。Cairn',
  ])('%s is accepted', (text) => {
    expect(findResetProblems(`Set it.\n\n${text}`)).toEqual([])
  })

  test.each([
    'Your token is {{path}}',
    '[Set]({{siteUrl}}{{path}})',
    '[Set]({{siteUrl}}/faqs?next={{path}})',
  ])('%s is refused: no template contains the token', (text) => {
    expect(findResetProblems(text)).toEqual([
      { body: '{{path}} is not a placeholder of this email' },
    ])
  })

  test('the code places the link with the token, whatever the template says', async () => {
    const path = '/users/resetPassword#token=secret-1'
    const text = { subject: 'Hi', body: 'First.\n\nLast.' }
    const added = { link: { label: 'Set it' } }
    const mail = await renderMail(text, { ...site, path }, added)
    expect(mail.html).toContain(`href="https://rock.test${path}"`)
    expect(mail.text).toContain(`First.\n\nSet it: https://rock.test${path}\n\nLast.`)
    for (const foreign of ['@evil.test/x', '//evil.test', '/x?token=1', '.evil.test#token=1']) {
      const rendering = renderMail(text, { ...site, path: foreign }, added)
      await expect(rendering).rejects.toThrow('the link of a mail is not a path of this site')
    }
  })

  test('no other text becomes a button', async () => {
    const body = '[Set]({{siteUrl}}@evil.example{{path}})'
    const mail = await renderMail({ subject: 'Hi', body }, { ...site, path: '/x#token=1' })
    expect(mail.html).not.toMatch(/href="[^"]*evil/)
  })

  test.each(MAIL_NAMES)('the built-in %s leads only to existing pages', (name) => {
    const { body, link } = MAIL_KINDS[name]
    const text = `${body} {{siteUrl}}${link?.samplePath ?? ''}`
    for (const [, path = ''] of text.matchAll(/\{\{siteUrl\}\}([^\s)?#{]+)/g)) {
      expect(SITE_PATHS).toContain(path)
    }
  })
})

describe('the mails of an event', () => {
  const withdrawal = {
    transactionId: INVESTOR,
    investorId: INVESTOR,
    source: 'profit',
    amountMinor: '10050',
    feeMinor: '50',
  }

  test('state the amount, the fee and the payout', () => {
    const data = { ...withdrawal, cash: 'cash:x', payoutReference: 'REF-1' }
    const values = { amount: '$100.50', fee: '$0.50', net: '$100', reference: 'REF-1' }
    expect(listMails('WithdrawalApproved', data)).toMatchObject([
      { userId: INVESTOR, part: 'investor', kind: 'withdrawal-approved', values },
    ])
  })

  test('of a request also go to administrators, and of an investment also to the referrer', () => {
    const asked = listMails('WithdrawalRequested', {
      ...withdrawal,
      bankAccountId: 'b',
      bankAccountSha256: 'c',
    })
    expect(asked.map(({ kind, part }) => [kind, part])).toEqual([
      ['withdrawal-requested', 'investor'],
      ['admin-withdrawal', 'office'],
    ])
    const opened = {
      investmentId: INVESTOR,
      investorId: INVESTOR,
      planId: INVESTOR,
      planVersion: '1',
      planName: null,
      principalMinor: '50000',
      promisedMinor: '2500',
      unit: 'days',
      duration: '30',
      returnPrincipal: true,
      bonusMinor: '500',
      bonusTo: OTHER,
      bonusDueAt: '2026-11-22T00:00:00Z',
      startedAt: '2026-11-21T00:00:00Z',
      expiresAt: '2026-12-21T00:00:00Z',
    }
    expect(listMails('InvestmentOpened', opened)).toMatchObject([
      { userId: INVESTOR, kind: 'investment-started' },
    ])
    expect(listMails('InvestmentOpened', opened)).toHaveLength(1)
    const paid = { investmentId: INVESTOR, bonusTo: OTHER, bonusMinor: '500' }
    expect(listMails('ReferralBonusPaid', paid)).toMatchObject([
      { userId: OTHER, kind: 'referral-earned', values: { amount: '$5' } },
    ])
  })

  test('of an investment that the platform ended state its amount and what is returned', async () => {
    const ended = {
      investmentId: INVESTOR,
      investorId: INVESTOR,
      principalMinor: '50000',
      units: '3',
      profitMinor: '0',
      releasedMinor: '0',
      bonusTo: null,
      bonusReturnedMinor: '0',
      declinedWithdrawals: [],
      bonusLostMinor: '0',
      reason: 'The plan was closed',
    }
    const cases = [
      ['0', '50000', '$500', 'The amount you invested is back in your Wallet Balance.'],
      ['27500', '22500', '$225', 'The amount you invested, less the credited profit, is back'],
      ['75000', '0', '$0', 'Nothing is returned to your Wallet Balance'],
    ] as const
    for (const [creditedMinor, returnedMinor, returned, principal] of cases) {
      const [mail] = listMails('InvestmentDenied', { ...ended, creditedMinor, returnedMinor })
      const { subject, text } = await renderMail(MAIL_KINDS['investment-denied'], {
        ...site,
        ...mail?.values,
      })
      expect(subject).toBe('Investment of $500 ended')
      expect(text).toContain(principal)
      expect(text).toContain('Amount: $500')
      expect(text).toContain(`Returned: ${returned}`)
      expect(text).toContain('Reason: The plan was closed')
    }
  })

  test('of an ended investment keep a template that an administrator saved before', () => {
    const saved = { subject: 'Ended: {{amount}}', body: 'Ended: {{reason}}\n\n- Sum: {{amount}}' }
    expect(findProblems('investment-denied', saved)).toEqual([])
  })

  test('of a returned bonus go to its referrer', () => {
    const cancelled = {
      investmentId: INVESTOR,
      investorId: INVESTOR,
      principalMinor: '50000',
      profitReturnedMinor: '0',
      releasedMinor: '2500',
      bonusTo: OTHER,
      bonusReturnedMinor: '500',
      declinedWithdrawals: [{ transactionId: OTHER, amountMinor: '2000', feeMinor: '0' }],
      bonusLostMinor: '0',
    }
    expect(listMails('InvestmentCancelled', cancelled)).toMatchObject([
      { userId: INVESTOR, kind: 'investment-cancelled' },
      { userId: OTHER, kind: 'referral-returned', values: { amount: '$5', declined: '$20' } },
    ])
  })

  test('are not written for events without a mail', () => {
    expect(listMails('ProfitAccrued', {})).toEqual([])
  })
})

test('the same work has the same job id, a UUID', () => {
  expect(createJobId('event-1-7', 7n)).toBe(createJobId('event-1-7', 7n))
  expect(createJobId('event-1-7', 7n) < createJobId('event-1-300', 300n)).toBe(true)
  expect(createJobId('x', 0n)).not.toBe(createJobId('y', 0n))
  expect(createJobId('x', 0n)).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
})
