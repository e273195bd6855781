import { beforeAll, describe, expect, test } from 'vitest'
import { type ApiClient, createApiClient, logInAs } from './api-client.ts'
import { findCodeIn, waitForMail } from './mailbox.ts'
import { createReceiptPng } from './picture.ts'
import { platform, usePlatform } from './shared-site.ts'

const HOUR_MS = 3_600_000
const PASSWORD = 'a long walk uphill'

usePlatform()
let admin: ApiClient
beforeAll(async () => {
  admin = await logInAs(platform.url, 'admin@cairn.example', 'cairn-demo-admin')
})

function createSignUpForm(email: string) {
  return {
    name: 'Ada Walker',
    gender: 'Female',
    phone: '+44 20 7946 0000',
    email,
    password: PASSWORD,
    passwordConfirm: PASSWORD,
    country: 'GB',
    firstAddress: '1 Hill Road',
    secondAddress: '',
    townCity: '',
    reason: '',
    employmentStatus: '',
    taxResidence: '',
    taxNumber: '',
  }
}

async function register(email: string): Promise<ApiClient> {
  const client = createApiClient(platform.url)
  await client.get('countries')
  expect((await client.send('POST', 'users/signup', createSignUpForm(email))).status).toBe(201)
  const mail = await waitForMail(platform.mailUrl, { to: email, subject: /code|verif/i })
  const verified = await client.send('POST', 'users/verify_email', { code: findCodeIn(mail) })
  expect(verified).toMatchObject({ status: 200, body: { status: 'success' } })
  return logInAs(platform.url, email, PASSWORD)
}

function createDepositForm(amount: string): FormData {
  const form = new FormData()
  form.set('type', 'deposit')
  form.set('amount', amount)
  form.set('pay_option', 'Bank Transfer')
  form.set('receipt', createReceiptPng(), 'receipt.png')
  return form
}

async function fund(client: ApiClient, amount: string): Promise<string> {
  const asked = await client.send('POST', 'users/me/transactions', createDepositForm(amount))
  expect(asked, JSON.stringify(asked.body)).toMatchObject({ status: 201 })
  const { id } = asked.body.data.transaction
  const approved = await admin.send('PATCH', `transactions/${id}/action/approve`, {})
  expect(approved, JSON.stringify(approved.body)).toMatchObject({ status: 200 })
  return id
}

async function readWallet(client: ApiClient) {
  const { body } = await client.get('stats/users')
  return body.data.stats.wallet
}

describe('the first journey, call by call', () => {
  test('register, confirm, deposit, invest, earn and withdraw', async () => {
    const email = 'journey@example.com'
    const client = await register(email)
    const me = await client.get('users/me')
    expect(me.body.data.user).toMatchObject({
      email,
      role: 'user',
      status: 'active',
      wallet: [{ balance: 0, profit: 0, referralBalance: 0 }],
    })

    const id = await fund(client, '1000.00')
    expect(await readWallet(client)).toMatchObject({ balance: 1000 })
    await waitForMail(platform.mailUrl, { to: email, subject: /approved/i })
    const receipt = await client.get(`transactions/${id}/receipt`)
    expect(receipt.status).toBe(200)
    expect(receipt.headers.get('x-content-type-options')).toBe('nosniff')

    const { body } = await client.get('plans')
    const hourly = body.data.plans.find(
      ({ timingParameter }: { timingParameter: string }) => timingParameter === 'hours',
    )
    const opened = await client.send('POST', 'users/me/investments', {
      plan: hourly.id,
      amount: hourly.minDeposit,
    })
    expect(opened, JSON.stringify(opened.body)).toMatchObject({
      status: 201,
      body: { data: { investment: { status: 'active', amount: hourly.minDeposit } } },
    })

    await platform.moveClock(HOUR_MS + 1_000)
    const later = await logInAs(platform.url, email, PASSWORD)
    const mine = await later.send('PATCH', 'investments/mine', {})
    expect(mine.body.data.investments[0]).toMatchObject({ currentLevel: 1 })
    const { nextProfitAt, nextProfit } = mine.body.data.investments[0]
    // The profit of one hour is the promised profit divided by all hours, rounded down to the cent.
    const promisedCents = Math.round((hourly.minDeposit * 100 * hourly.percentage) / 100)
    const profit = Math.floor(promisedCents / hourly.planDuration) / 100
    expect(await readWallet(later)).toMatchObject({ balance: 1000 - hourly.minDeposit, profit })
    const nextCents = Math.floor((promisedCents * 2) / hourly.planDuration) - profit * 100
    expect(nextProfit * 100).toBeCloseTo(nextCents)
    expect(Date.parse(nextProfitAt)).toBeGreaterThan(
      Date.parse(mine.body.data.investments[0].investment.createdAt) + HOUR_MS,
    )

    const bank = await later.send('POST', 'users/me/banks', {
      bankName: 'Hill Bank',
      accountNumber: '12345678',
      accountName: 'Ada Walker',
      payOption: 'savings Account',
    })
    expect(bank, JSON.stringify(bank.body)).toMatchObject({ status: 201 })
    const asked = await later.send('POST', 'users/me/transactions', {
      type: 'withdrawal',
      amount: 50,
      pay_option: 'balance',
      bank_id: bank.body.data.account.id,
    })
    expect(asked, JSON.stringify(asked.body)).toMatchObject({ status: 201 })
    expect((await readWallet(later)).balance).toBe(950 - hourly.minDeposit)
    admin = await logInAs(platform.url, 'admin@cairn.example', 'cairn-demo-admin')
    const { id: withdrawalId } = asked.body.data.transaction
    const paid = await admin.send('PATCH', `transactions/${withdrawalId}/action/approve`, {})
    expect(paid.body.data.transaction).toMatchObject({ status: 'success', type: 'withdrawal' })
    await waitForMail(platform.mailUrl, { to: email, subject: /withdrawal.*(approved|paid)/i })
  })

  test('two requests with one key pay once, and the answer is the same', async () => {
    const client = await register('twice@example.com')
    const key = { 'Idempotency-Key': 'the-same-click' }
    const [first, second] = await Promise.all([
      client.send('POST', 'users/me/transactions', createDepositForm('40'), key),
      client.send('POST', 'users/me/transactions', createDepositForm('40'), key),
    ])
    expect(first, JSON.stringify(first.body)).toMatchObject({ status: 201 })
    expect(second.body.data.transaction.id).toBe(first.body.data.transaction.id)
    const { body } = await client.get('users/me/transactions')
    expect(body.data.transactions).toHaveLength(1)
  })
})

describe('the journey is refused', () => {
  test('when the investor lacks the funds', async () => {
    const client = await register('poor@example.com')
    await fund(client, '50')
    const { body } = await client.get('plans')
    const starter = body.data.plans.find(({ name }: { name: string }) => /starter/i.test(name))
    const tooMuch = await client.send('POST', 'users/me/investments', {
      plan: starter.id,
      amount: 100,
    })
    expect(tooMuch).toMatchObject({ status: 422, body: { status: 'fail' } })
    expect(tooMuch.body.message).toContain('Insufficient wallet balance')

    const bank = await client.send('POST', 'users/me/banks', {
      bankName: 'Hill Bank',
      accountNumber: '12345678',
      accountName: 'Ada Walker',
      accountType: 'Others',
    })
    const withdrawal = {
      type: 'withdrawal',
      pay_option: 'balance',
      bank_id: bank.body.data.account.id,
    }
    const more = await client.send('POST', 'users/me/transactions', {
      ...withdrawal,
      amount: 50.01,
    })
    expect(more).toMatchObject({ status: 422, body: { status: 'fail' } })
    expect((await readWallet(client)).balance).toBe(50)
  })

  test('when the receipt is missing or not an image', async () => {
    const client = await register('receiptless@example.com')
    const without = createDepositForm('50')
    without.delete('receipt')
    const missing = await client.send('POST', 'users/me/transactions', without)
    expect(missing.status).toBeGreaterThanOrEqual(400)
    expect(missing.body.message).toContain('Please provide receipt')
    const html = createDepositForm('50')
    html.set('receipt', new Blob(['<script>alert(1)</script>'], { type: 'image/png' }), 'r.png')
    expect((await client.send('POST', 'users/me/transactions', html)).status).toBe(415)
    const { body } = await client.get('users/me/transactions')
    expect(body.data.transactions).toEqual([])
  })

  test('when five wrong codes precede the correct one', async () => {
    const email = 'guesser@example.com'
    const client = createApiClient(platform.url)
    await client.get('countries')
    await client.send('POST', 'users/signup', createSignUpForm(email))
    const mail = await waitForMail(platform.mailUrl, { to: email, subject: /code|verif/i })
    const right = findCodeIn(mail)
    const wrong = right === '0000' ? '1111' : '0000'
    for (let guess = 0; guess < 5; guess += 1) {
      const answer = await client.send('POST', 'users/verify_email', { code: wrong })
      expect(answer.status).toBeGreaterThanOrEqual(400)
    }
    const late = await client.send('POST', 'users/verify_email', { code: right })
    expect(late.status).toBeGreaterThanOrEqual(400)
    expect(late.body.status).toBe('fail')
  })

  test('when an investor calls a route for administrators', async () => {
    const client = await register('curious@example.com')
    const id = '0'.repeat(20)
    const calls: readonly [method: 'GET' | 'POST' | 'PATCH', path: string][] = [
      ['GET', 'transactions'],
      ['GET', 'users'],
      ['GET', 'investments'],
      ['GET', 'stats/admin'],
      ['GET', 'admin/reserve'],
      ['POST', 'admin/reserve'],
      ['POST', 'plans'],
      ['POST', 'paymentOptions'],
      ['PATCH', `transactions/${id}/action/approve`],
      ['PATCH', `transactions/${id}/action/decline`],
      ['PATCH', `users/${id}/status`],
      ['PATCH', `users/${id}/wallets`],
    ]
    for (const [method, path] of calls) {
      const answer = method === 'GET' ? await client.get(path) : await client.send(method, path, {})
      expect([path, answer.status]).toEqual([path, 403])
    }
  })

  test('when the CSRF token is missing or another session’s', async () => {
    const client = await register('forged@example.com')
    const other = await register('forger@example.com')
    const form = { bankName: 'B', accountNumber: '1', accountName: 'A', accountType: 'Others' }
    const theirs = decodeURIComponent(other.cookies.get('XSRF-TOKEN') ?? '')
    for (const token of ['', theirs]) {
      const headers = { 'X-XSRF-TOKEN': token }
      const answer = await client.send('POST', 'users/me/banks', form, headers)
      expect(answer.status).toBe(403)
    }
    expect((await client.send('POST', 'users/me/banks', form)).status).toBe(201)
  })
})
