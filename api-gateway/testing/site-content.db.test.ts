import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { approveChange, getRequestedChange, readChange } from './change-requests.ts'
import { makeApprovers, setDualControl } from './dual-control.ts'
import { expectOk, getId, type Scene, startScene } from './scene.ts'
import { addUser, openVisit } from './test-gateway.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
  await makeApprovers(scene.gateway, [scene.admin.userId, scene.second.userId])
  await setDualControl(scene.gateway, 'single')
})
afterAll(() => scene?.gateway.stop())

const LINES = [
  'liabilities',
  'committed',
  'reserve',
  'fees',
  'income',
  'marketing',
  'adjustments',
] as const

describe('the content of the site', () => {
  test('the lines of the coverage add up to the cash', async () => {
    const gift = { wallet_type: 'balance', amount: 12.34, category: 'gift', reason: 'welcome' }
    const wallets = `/users/${scene.investor.userId}/wallets`
    await expectOk(scene.call(scene.admin, 'PATCH', wallets, gift))
    const credit = { direction: 'credit', user: scene.investor.userId, reason: 'counted twice' }
    const form = { ...credit, wallet_type: 'balance', amount: 5.67 }
    await expectOk(scene.call(scene.admin, 'POST', '/admin/adjustments', form))
    const { coverage } = await expectOk<{
      coverage: Record<(typeof LINES)[number] | 'cash' | 'paymentAccounts', number>
    }>(scene.call(null, 'GET', '/public/coverage'))
    expect(coverage).toMatchObject({ adjustments: -18.01 })
    const toCents = (amount: number) => Math.round(amount * 100)
    const { reserve } = await expectOk<{
      reserve: { cash: { option: string; balance: number }[] }
    }>(scene.call(scene.admin, 'GET', '/admin/reserve'))
    const treasury = reserve.cash.find(({ option }) => option === 'treasury')?.balance ?? 0
    expect(treasury).not.toBe(0)
    expect(toCents(coverage.paymentAccounts)).toBe(toCents(coverage.cash) - toCents(treasury))
    const sum = LINES.reduce((total, name) => total + toCents(coverage[name]), 0)
    expect(sum).toBe(toCents(coverage.cash))
  })

  test('coverage and claims are measured, and a claim needs two people', async () => {
    const { coverage } = await expectOk(scene.call(null, 'GET', '/public/coverage'))
    expect(coverage).toMatchObject({ percentage: 100, committed: 10, shortfall: 0 })
    const { claims } = await expectOk<{
      claims: { key: string; state: string; text: string }[]
    }>(scene.call(null, 'GET', '/public/claims'))
    const find = (key: string) => claims.find((claim) => claim.key === key)
    expect(find('profit-guarantee')).toMatchObject({
      state: 'proved',
      text: 'Promised profit covered by the reserve today',
    })
    expect(find('licensed-exchange')?.text).toBe('The operator states no licence')

    const path = '/admin/claims/support-hours'
    const { gateway, admin, second } = scene
    const findSupportClaim = async () =>
      (
        await expectOk<{ claims: { key: string }[] }>(scene.call(admin, 'GET', '/admin/claims'))
      ).claims.find(({ key }) => key === 'support-hours')
    const { id } = getRequestedChange(
      await scene.call(admin, 'PUT', path, { hours: '9 to 17 UTC' }),
    )
    expect((await approveChange(gateway, admin, id)).status).toBe(409)
    expect(await findSupportClaim()).toMatchObject({ state: 'withheld' })
    await expectOk(approveChange(gateway, second, id))
    expect(await findSupportClaim()).toMatchObject({
      state: 'stated',
      reasons: [],
      statedBy: { id: admin.userId },
      approvedBy: { id: second.userId },
    })
    // An empty statement needs no approval.
    const emptied = await expectOk(scene.call(admin, 'PUT', path, { hours: '' }))
    expect(emptied).toMatchObject({ claim: { state: 'withheld' } })
  })

  test('assets are attested with a document and confirmed by another administrator', async () => {
    const path = '/admin/attestations'
    const fields = { asOf: '2026-01-31', assets: '12345.67' }
    const request = { method: 'POST', path, field: 'document', fields }
    const { gateway, admin, second } = scene
    const asked = getRequestedChange(await scene.upload(admin, request))
    expect((await approveChange(gateway, admin, asked.id)).status).toBe(409)
    const shown = await readChange(gateway, second, asked.id)
    const compared = shown.lines.find(({ type }) => type === 'document')?.after ?? ''
    const file = await scene.call(second, 'GET', compared.replace('/api/v1', ''))
    expect(file.headers.get('content-type')).toBe('image/png')
    await expectOk(approveChange(gateway, second, asked.id))
    const { attestations } = await expectOk<{ attestations: { id: string }[] }>(
      scene.call(admin, 'GET', path),
    )
    expect(attestations).toMatchObject([
      { assets: 12_345.67, asOf: '2026-01-31', confirmedBy: { id: second.userId } },
    ])
    const document = await scene.call(admin, 'GET', `${path}/${attestations[0]?.id}/document`)
    expect(document.headers.get('content-type')).toBe('image/png')
    const side = `/admin/approvals/${asked.id}/file?side=before`
    expect((await scene.call(second, 'GET', side)).status).toBe(404)
  })

  test('questions are sorted, shown and hidden', async () => {
    const { faqs } = await expectOk<{
      faqs: object[]
    }>(scene.call(null, 'GET', '/public/faqs'))
    expect(faqs).toHaveLength(5)
    expect(faqs.at(-2)).toMatchObject({
      answer: expect.stringMatching(/^Deposits: at least \$10, .* Withdrawals: at least \$20, /),
    })
    const { faq } = await expectOk(
      scene.call(scene.admin, 'POST', '/admin/faqs', { question: 'Why?', answer: 'Because.' }),
    )
    const path = `/admin/faqs/${getId({ faq }, 'faq')}`
    await expectOk(scene.call(scene.admin, 'PATCH', path, { displayStatus: false }))
    const shown = await expectOk<{
      faqs: object[]
    }>(scene.call(null, 'GET', '/public/faqs'))
    expect(shown.faqs).toHaveLength(5)
    expect((await scene.call(scene.admin, 'DELETE', path)).status).toBe(204)
    expect((await scene.call(scene.admin, 'DELETE', path)).status).toBe(404)
  })

  test('a message to the operator is stored, but not the message of a program', async () => {
    const form = { name: 'Ada', email: 'ada@example.com', message: 'How do I begin here?' }
    expect((await scene.call(null, 'POST', '/contact', form)).status).toBe(201)
    expect((await scene.call(null, 'POST', '/contact', { ...form, website: 'x' })).status).toBe(201)
    const { messages } = await expectOk<{
      messages: { id: string }[]
    }>(scene.call(scene.admin, 'GET', '/admin/messages'))
    expect(messages).toHaveLength(1)
    await expectOk(scene.call(scene.admin, 'PATCH', `/admin/messages/${messages[0]?.id}/answered`))
    expect(await expectOk(scene.call(scene.admin, 'GET', '/admin/messages'))).toMatchObject({
      meta: { open: 0 },
    })
  })
})

describe('a payment option', () => {
  test('notifies every administrator of a change, and the audit row has the old values', async () => {
    const { paymentOptions } = await expectOk<{ paymentOptions: { id: string }[] }>(
      scene.call(scene.admin, 'GET', '/paymentOptions'),
    )
    const path = `/paymentOptions/${paymentOptions[0]?.id}`
    await expectOk(scene.call(scene.admin, 'PATCH', path, { accountNumber: '999' }))
    const { notifications } = await expectOk<{ notifications: { title: string }[] }>(
      scene.call(scene.second, 'GET', '/users/me/notifications'),
    )
    expect(notifications[0]?.title).toBe('The payment option Example Bank was changed')
    const { entries } = await expectOk<{ entries: { details: object }[] }>(
      scene.call(scene.admin, 'GET', '/admin/audit?action=payment-option.edit'),
    )
    expect(entries[0]?.details).toMatchObject({
      before: { accountNumber: '1' },
      after: { accountNumber: '999' },
    })
  })
})

describe('personal settings and data of other users', () => {
  test('preferences are stored one by one', async () => {
    const path = '/users/me/preferences'
    await expectOk(scene.call(scene.investor, 'PUT', path, { marketUpdates: true }))
    const { preferences } = await expectOk(
      scene.call(scene.investor, 'PUT', path, { chartRange: '1Y' }),
    )
    expect(preferences).toMatchObject({
      marketUpdates: true,
      chartRange: '1Y',
      accountActivity: true,
    })
    expect(await expectOk(scene.call(scene.stranger, 'GET', path))).toMatchObject({
      preferences: { marketUpdates: false },
    })
  })

  test('the date format accepts only existing languages and time zones', async () => {
    const path = '/users/me/preferences'
    const savePreferences = (choice: object) => scene.call(scene.investor, 'PUT', path, choice)
    const chosen = { language: 'de-DE', timeZone: 'Asia/Kolkata', defaultRange: '1Y' }
    expect(await expectOk(savePreferences(chosen))).toMatchObject({ preferences: chosen })
    for (const wrong of [
      { language: 'not a language' },
      { language: 'xx-nowhere-to-be-found' },
      { timeZone: 'Mars/Olympus' },
      { timeZone: '+05:30' },
      { defaultRange: '2Y' },
    ]) {
      expect((await savePreferences(wrong)).status).toBe(400)
    }
    const none = { language: null, timeZone: null, defaultRange: null }
    expect(await expectOk(savePreferences(none))).toMatchObject({ preferences: none })
  })

  test('a photo is shown to its owner and to administrators', async () => {
    const path = '/users/me/photo'
    const request = { method: 'PUT', path, field: 'photo' }
    const { user } = await expectOk<{ user: { photo: string } }>(
      scene.upload(scene.investor, request),
    )
    const photo = user.photo.replace('/api/v1', '')
    expect((await scene.call(scene.investor, 'GET', photo)).status).toBe(200)
    expect((await scene.call(scene.admin, 'GET', photo)).status).toBe(200)
    expect((await scene.call(scene.stranger, 'GET', photo)).status).toBe(404)
    expect((await scene.call(scene.investor, 'DELETE', path)).status).toBe(204)
    expect((await scene.call(scene.investor, 'GET', photo)).status).toBe(404)
  })

  test('an administrator reads a person with notes, and every act is audited', async () => {
    const path = `/users/${scene.investor.userId}`
    await expectOk(scene.call(scene.admin, 'POST', `${path}/notes`, { text: 'called back' }))
    const found = await expectOk(scene.call(scene.admin, 'GET', path))
    expect(found).toMatchObject({
      user: { id: scene.investor.userId },
      money: { deposited: 500, activeInvestments: 1 },
      notes: [{ text: 'called back', author: { id: scene.admin.userId } }],
    })
    const { entries } = await expectOk<{ entries: { action: string; event: string | null }[] }>(
      scene.call(scene.admin, 'GET', `/admin/audit?actor=${scene.admin.userId}`),
    )
    expect(entries.map(({ action }) => action)).toContain('transaction.approve')
    const approval = entries.find(({ action }) => action === 'transaction.approve')
    expect(approval?.event).toMatch(/^\d+$/)
    const own = await expectOk<{
      activity: { action: string }[]
    }>(scene.call(scene.investor, 'GET', '/users/me/activity'))
    expect(own.activity.map(({ action }) => action)).toContain('user.photo')
    expect((await scene.call(scene.investor, 'GET', '/admin/audit')).status).toBe(403)
  })

  test('referrals are counted and paid, and shown masked to the referrer', async () => {
    const { user } = await expectOk<{ user: { accountId: string } }>(
      scene.call(scene.stranger, 'GET', '/users/me'),
    )
    expect(user.accountId).toHaveLength(12)
    const id = await addUser(scene.gateway, { role: 'user', status: 'active' })
    await scene.gateway.db
      .updateTable('identity.user')
      .set({ referrer_id: scene.stranger.userId, name: 'Grace Brewster Hopper' })
      .where('id', '=', id)
      .execute()
    const { referrals, meta } = await expectOk<{ referrals: object[]; meta: object }>(
      scene.call(scene.stranger, 'GET', '/users/me/referrals'),
    )
    expect(referrals).toMatchObject([{ name: 'Grace H.', email: `${id[0]}***@example.com` }])
    expect(meta).toMatchObject({ total: 1, earned: 0 })
    const { referrers } = await expectOk(scene.call(scene.admin, 'GET', '/admin/referrals'))
    expect(referrers).toMatchObject([{ id: scene.stranger.userId, referred: 1 }])
    const named = await expectOk(
      scene.call(scene.admin, 'GET', `/admin/referrals/${scene.stranger.userId}`),
    )
    expect(named).toMatchObject({ referrals: [{ id, name: 'Grace Brewster Hopper' }] })
  })

  test('a new bank account is confirmed by a code, and can be used after the waiting period', async () => {
    const saved = await scene.gateway.deps.settings.read()
    const content = { security: { ...saved.security, bankCoolingHours: 24 } }
    await scene.gateway.db
      .insertInto('platform.setting')
      .values({
        id: 'site',
        version: 1,
        content: JSON.stringify(content),
        updated_at: new Date(),
        updated_by: null,
      })
      .execute()
    scene.gateway.deps.settings.forget()
    const details = {
      bankName: 'Example Bank',
      accountNumber: '42',
      accountName: 'Ada',
      accountType: 'Others',
    }
    const { account } = await expectOk(
      scene.call(scene.investor, 'POST', '/users/me/banks', details),
    )
    const id = getId({ account }, 'account')
    const requestWithdrawal = () =>
      scene.call(scene.investor, 'POST', '/users/me/transactions', {
        type: 'withdrawal',
        amount: 20,
        pay_option: 'balance',
        bank_id: id,
      })
    expect(await requestWithdrawal()).toMatchObject({ body: { code: 'BANK_ACCOUNT_NOT_USABLE' } })
    const { sealed } = await scene.gateway.db
      .selectFrom('identity.outbox')
      .select('sealed')
      .where('user_id', '=', scene.investor.userId)
      .where('kind', '=', 'bank-code')
      .executeTakeFirstOrThrow()
    const { code = '' } = scene.gateway.deps.seal.open(sealed ?? Buffer.alloc(0))
    const wrong = code === '000000' ? '000001' : '000000'
    const confirmAccount = (digits: string, visitor = scene.investor) =>
      scene.call(visitor, 'POST', `/users/me/banks/${id}/confirm`, { code: digits })
    expect((await confirmAccount(code, scene.stranger)).status).toBe(404)
    expect(await confirmAccount(wrong)).toMatchObject({ status: 400, body: { code: 'CODE_WRONG' } })
    expect(await expectOk(confirmAccount(code))).toMatchObject({ account: { status: 'cooling' } })
    expect(await requestWithdrawal()).toMatchObject({ status: 422 })
    scene.gateway.moveClock(25 * 3_600_000)
    const fresh = await openVisit(scene.gateway, scene.investor.userId)
    const paid = await scene.call(fresh, 'POST', '/users/me/transactions', {
      type: 'withdrawal',
      amount: 20,
      pay_option: 'balance',
      bank_id: id,
    })
    expect(paid.status).toBe(201)
  })
})
