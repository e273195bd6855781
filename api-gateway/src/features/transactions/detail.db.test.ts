import { createId } from '@cairn/ledger-contracts'
import { openKeys, verifyReceipt } from '@cairn/ledger-contracts/proof'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeApprovers, setDualControl, setThreshold } from '../../../testing/dual-control.ts'
import { expectOk, getId, type Scene, startScene } from '../../../testing/scene.ts'
import type { Visitor } from '../../../testing/test-gateway.ts'

const WEEK_MS = 7 * 86_400_000

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

describe('a transaction', () => {
  test('has a timeline for its owner and for administrators only', async () => {
    const own = await expectOk(
      scene.call(scene.investor, 'GET', `/transactions/${scene.depositId}`),
    )
    expect(own).toMatchObject({
      transaction: { status: 'success', amount: 500 },
      timeline: [
        { kind: 'requested', by: 'you' },
        { kind: 'approved', by: 'the platform' },
      ],
    })
    expect(own).not.toHaveProperty('flags')
    const shown = await expectOk(scene.call(scene.admin, 'GET', `/transactions/${scene.depositId}`))
    expect(shown).toMatchObject({
      timeline: [{}, { by: `Person ${scene.admin.userId}` }],
      flags: [],
    })

    const foreign = await scene.call(scene.stranger, 'GET', `/transactions/${scene.depositId}`)
    const absent = await scene.call(scene.stranger, 'GET', `/transactions/${createId(0)}`)
    expect(foreign.status).toBe(404)
    expect({ ...foreign.body, requestId: null }).toEqual({ ...absent.body, requestId: null })
  })

  test('has a receipt that verifies without the platform, and not with a cent changed', async () => {
    const proof = await expectOk(
      scene.call(scene.investor, 'GET', `/transactions/${scene.depositId}/proof`),
    )
    const { receipt, verifierKeys } = proof as unknown as {
      receipt: string
      verifierKeys: string[]
    }
    const keys = openKeys(verifierKeys)
    const { event } = await verifyReceipt(receipt, keys)
    expect(event).toMatchObject({ type: 'DepositApproved', data: { amountMinor: '50000' } })

    const line = /^extra (\S+)$/m.exec(receipt)?.[1] ?? ''
    const changed = Buffer.from(line, 'base64').toString().replace('"50000"', '"50001"')
    const forged = receipt.replace(line, Buffer.from(changed).toString('base64'))
    await expect(verifyReceipt(forged, keys)).rejects.toThrow(/not event \d+ of the signed ledger/)
    expect(
      (await scene.call(scene.stranger, 'GET', `/transactions/${scene.depositId}/proof`)).status,
    ).toBe(404)
  })

  test('is flagged if any user has used its receipt before', async () => {
    const again = await scene.deposit(scene.stranger, '20.00')
    const shown = await expectOk(scene.call(scene.admin, 'GET', `/transactions/${again}`))
    expect(shown).toMatchObject({
      flags: ['receipt-used-before'],
      sameReceipt: [{ id: scene.depositId }],
    })
  })

  test('has the flags of its details in the lists to review, while it is pending', async () => {
    type Row = { id: string; status: string; flags?: string[] }
    const list = async (visitor: Visitor, path: string) =>
      (await expectOk<{ transactions: Row[] }>(scene.call(visitor, 'GET', path))).transactions
    const rows = await list(scene.admin, '/transactions')
    expect(rows.map(({ status, flags }) => [status, flags])).toEqual(
      expect.arrayContaining([
        ['pending', ['receipt-used-before']],
        ['success', undefined],
      ]),
    )
    for (const { id, flags } of rows.filter(({ status }) => status === 'pending')) {
      const details = scene.call(scene.admin, 'GET', `/transactions/${id}`)
      expect(flags).toEqual((await expectOk<{ flags: string[] }>(details)).flags)
    }
    const { pending_transactions } = await expectOk<{ pending_transactions: Row[] }>(
      scene.call(scene.admin, 'GET', '/stats/admin'),
    )
    expect(pending_transactions[0]?.flags).toEqual(['receipt-used-before'])
    for (const row of await list(scene.stranger, '/users/me/transactions')) {
      expect(row).not.toHaveProperty('flags')
    }
  })
})

describe('exports', () => {
  const downloadCsv = async (visitor: Visitor, path: string) => {
    const response = await fetch(`${scene.gateway.url}/api/v1${path}`, {
      headers: { cookie: visitor.cookie },
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  test('contain the filtered rows of the caller only', async () => {
    const all = await downloadCsv(scene.admin, '/transactions.csv?type=deposit')
    expect(all.headers.get('content-disposition')).toBe('attachment; filename="transactions.csv"')
    expect(all.text.trimEnd().split('\n')).toHaveLength(3)
    const pending = await downloadCsv(scene.admin, '/transactions.csv?type=deposit&status=pending')
    expect(pending.text.trimEnd().split('\n')).toHaveLength(2)
    const { userId } = scene.investor
    const theirs = await downloadCsv(scene.admin, `/transactions.csv?type=deposit&user=${userId}`)
    expect(theirs.text.trimEnd().split('\n')).toHaveLength(2)
    const own = await downloadCsv(scene.investor, '/users/me/transactions.csv')
    expect(own.text).toContain('500.00')
    expect(own.text).not.toContain('20.00')
    expect((await downloadCsv(scene.investor, '/transactions.csv')).status).toBe(403)
    expect((await downloadCsv(scene.investor, '/users/me/investments.csv')).text).toContain(
      'Ten days',
    )
  })

  test('state the wallet balance after each line, with any filter', async () => {
    type Line = { purpose: string; balanceAfter?: { wallet: string; amount: number } | null }
    const listOwnLines = async (query: string) => {
      const path = `/users/me/transactions?${query}`
      const { transactions } = await expectOk<{ transactions: Line[] }>(
        scene.call(scene.investor, 'GET', path),
      )
      return transactions.map(({ purpose, balanceAfter }) => [purpose, balanceAfter])
    }
    // The investor deposited 500.00 and invested 100.00.
    const deposit = ['deposit', { wallet: 'balance', amount: 500 }]
    const purchase = ['purchase', { wallet: 'balance', amount: 400 }]
    expect(await listOwnLines('sort=createdAt')).toEqual([deposit, purchase])
    expect(await listOwnLines('type=deposit')).toEqual([deposit])
    expect(await listOwnLines('sort=createdAt&limit=1&page=2')).toEqual([purchase])
    const { text } = await downloadCsv(scene.investor, '/users/me/transactions.csv?type=transfer')
    const [header, line] = text.split('\n')
    expect(header).toMatch(/,Wallet,Balance after$/)
    expect(line).toMatch(/,balance,400\.00$/)
    // A pending transaction has not changed the wallet.
    const { transactions } = await expectOk<{ transactions: Line[] }>(
      scene.call(scene.stranger, 'GET', '/users/me/transactions?status=pending'),
    )
    expect(transactions).toMatchObject([{ balanceAfter: null }])
    // Lists for administrators do not contain balances.
    const all = await expectOk<{ transactions: Line[] }>(
      scene.call(scene.admin, 'GET', '/transactions'),
    )
    expect(all.transactions[0]).not.toHaveProperty('balanceAfter')
  })

  test('of one person are available to administrators, like lists', async () => {
    const { admin, investor, stranger, call } = scene
    const list = (visitor: typeof admin, path: string) => call(visitor, 'GET', path)
    type Page = { transactions?: { user?: { email: string } }[]; investments?: object[] }
    const found = await expectOk<Page>(list(admin, `/transactions?user=${investor.userId}`))
    const emails = new Set(found.transactions?.map(({ user }) => user?.email))
    expect([...emails]).toEqual([`${investor.userId}@example.com`])
    const none = await expectOk<Page>(list(admin, `/investments?user=${stranger.userId}`))
    expect(none.investments).toEqual([])
    const some = await expectOk<Page>(list(admin, `/investments?user=${investor.userId}`))
    expect(some.investments?.length).toBeGreaterThan(0)
    expect((await list(admin, '/transactions?user=nobody')).status).toBe(400)
    expect((await list(investor, `/users/me/transactions?user=${stranger.userId}`)).status).toBe(
      400,
    )
  })

  test('tell a cancelled request from a declined one, unlike the status of the API', async () => {
    const { admin, stranger, call, deposit } = scene
    const cancelled = await deposit(stranger, '45.00')
    await expectOk(call(stranger, 'POST', `/users/me/transactions/${cancelled}/cancel`))
    const declined = await deposit(stranger, '46.00')
    await expectOk(call(admin, 'PATCH', `/transactions/${declined}/action/decline`))
    const paths = ['/users/me/transactions.csv', '/transactions.csv'] as const
    for (const path of paths) {
      const { text } = await downloadCsv(path === paths[0] ? stranger : admin, path)
      expect(text).toMatch(/,deposit,deposit,in,cancelled,45\.00,/)
      expect(text).toMatch(/,deposit,deposit,in,declined,46\.00,/)
    }
  })

  test('contain no formula from typed text', async () => {
    await scene.gateway.db
      .updateTable('identity.user')
      .set({ name: '=HYPERLINK("http://evil.example")' })
      .where('id', '=', scene.stranger.userId)
      .execute()
    const { text } = await downloadCsv(scene.admin, '/users.csv')
    expect(text).toContain(`"'=HYPERLINK(""http://evil.example"")"`)
    expect(text).not.toMatch(/(^|,)"?=HYPERLINK/m)
  })
})

describe('an investment', () => {
  test('shows its past and expected steps', async () => {
    const found = await expectOk(
      scene.call(scene.investor, 'GET', `/investments/${scene.investmentId}`),
    )
    expect(found).toMatchObject({
      investment: { amount: 100, expectedProfit: 10 },
      timeline: [{ kind: 'opened', amount: 100 }],
      cancelUntil: null,
    })
    const { upcoming } = found as unknown as { upcoming: { amount: number }[] }
    expect(upcoming).toHaveLength(10)
    expect(upcoming.reduce((sum, { amount }) => sum + amount, 0)).toBe(10)
    expect(
      (await scene.call(scene.stranger, 'GET', `/investments/${scene.investmentId}`)).status,
    ).toBe(404)

    const forecast = await expectOk(scene.call(scene.investor, 'GET', '/stats/users/forecast'))
    expect(forecast).toMatchObject({ profit: 10, principal: 100 })
  })

  test('is denied once, with a reason, and its principal returns', async () => {
    const { investment } = await expectOk(
      scene.call(scene.investor, 'POST', '/users/me/investments', {
        plan: scene.planId,
        amount: 60,
      }),
    )
    const path = `/investments/${getId({ investment }, 'investment')}/status`
    expect(
      (await scene.call(scene.investor, 'PATCH', path, { status: 'denied', reason: 'x' })).status,
    ).toBe(403)
    expect((await scene.call(scene.admin, 'PATCH', path, { status: 'denied' })).status).toBe(400)
    const denied = await expectOk(
      scene.call(scene.admin, 'PATCH', path, { status: 'denied', reason: 'wrong plan' }),
    )
    expect(denied).toMatchObject({ investment: { status: 'denied', amount: 60 } })
    const again = await scene.call(scene.admin, 'PATCH', path, {
      status: 'denied',
      reason: 'again',
    })
    expect(again.status).toBe(409)
    const { stats } = await expectOk(scene.call(scene.investor, 'GET', '/stats/users'))
    expect(stats).toMatchObject({ wallet: { balance: 400 } })
  })
})

/**
 * Returns the actions that need the approval of two administrators but succeeded with the approval
 * of one administrator.
 */
async function findDecisionsOfOneAdmin({
  admin,
  investor,
  call,
  deposit,
}: Scene): Promise<string[]> {
  const form = { user: investor.userId, wallet_type: 'balance', amount: 60 }
  const reason = 'counted twice in June'
  const more = { ...form, reason, direction: 'credit' }
  const corrected = await call(admin, 'POST', '/admin/adjustments', more)
  const approve = `/transactions/${await deposit(investor, '90.00')}/action/approve`
  await expectOk(call(admin, 'PATCH', approve))
  const again = await call(admin, 'PATCH', approve)
  const decided = { adjustment: corrected.status, deposit: again.status }
  return Object.entries(decided).flatMap(([what, status]) => (status === 409 ? [] : [what]))
}

describe('two approvals', () => {
  beforeAll(async () => {
    await makeApprovers(scene.gateway, [scene.admin.userId, scene.second.userId])
    await setThreshold(scene.gateway, 5_000n)
  })

  test('the first approval waits for another administrator', async () => {
    const id = await scene.deposit(scene.investor, '80.00')
    const path = `/transactions/${id}/action/approve`
    const first = await expectOk(scene.call(scene.admin, 'PATCH', path))
    expect(first).toMatchObject({ transaction: { status: 'pending', isApprovedOnce: true } })
    expect((await scene.call(scene.admin, 'PATCH', path)).status).toBe(409)
    await expectOk(scene.call(scene.second, 'PATCH', path))
    const shown = await expectOk(scene.call(scene.admin, 'GET', `/transactions/${id}`))
    const { timeline } = shown as unknown as { timeline: { kind: string }[] }
    expect(timeline.map(({ kind }) => kind)).toEqual(['requested', 'approved'])
  })

  test('one administrator cannot give both decisions', async () => {
    expect(await findDecisionsOfOneAdmin(scene)).toEqual([])
  })

  test('sabotaged twin: with single control one administrator decides alone', async () => {
    await setDualControl(scene.gateway, 'single')
    expect(await findDecisionsOfOneAdmin(scene)).toEqual(['adjustment', 'deposit'])
  })
})

test('a pending withdrawal names to administrators when its account was added and from which it is paid', async () => {
  const { investor, admin, call, gateway } = scene
  const form = {
    bankName: 'Example Bank',
    accountNumber: '77',
    accountName: `Person ${investor.userId}`,
    payOption: 'savings Account',
  }
  const bankId = getId(await expectOk(call(investor, 'POST', '/users/me/banks', form)), 'account')
  await gateway.db
    .updateTable('platform.bank_account')
    .set({ usable_from: new Date(0), confirmed_at: new Date(0) })
    .execute()
  const { created_at } = await gateway.db
    .selectFrom('platform.bank_account')
    .select('created_at')
    .where('id', '=', bankId)
    .executeTakeFirstOrThrow()
  const request = { type: 'withdrawal', amount: 20, pay_option: 'balance', bank_id: bankId }
  const id = getId(
    await expectOk(call(investor, 'POST', '/users/me/transactions', request)),
    'transaction',
  )
  expect(await expectOk(call(admin, 'GET', `/transactions/${id}`))).toMatchObject({
    flags: expect.arrayContaining(['new-bank-account']),
    bankAccountAddedAt: created_at.toISOString(),
    paidFrom: { bank: 'Example Bank', accountNumber: '1' },
  })
  const own = await expectOk(call(investor, 'GET', `/transactions/${id}`))
  expect(own).not.toHaveProperty('bankAccountAddedAt')
  expect(own).not.toHaveProperty('paidFrom')
  // The investor must see where the money goes.
  expect(own.transaction).toMatchObject({
    bankAccount: { bankName: 'Example Bank', accountNumber: '77' },
  })
})

test('an approved withdrawal names to administrators the account that paid it', async () => {
  const { investor, admin, call, gateway } = scene
  await setDualControl(gateway, 'single')
  const { accounts } = await expectOk<{ accounts: { id: string }[] }>(
    call(investor, 'GET', '/users/me/banks'),
  )
  const decide = async (amount: number, action: 'approve' | 'decline'): Promise<string> => {
    const request = { type: 'withdrawal', amount, pay_option: 'balance', bank_id: accounts[0]?.id }
    const asked = await expectOk(call(investor, 'POST', '/users/me/transactions', request))
    const id = getId(asked, 'transaction')
    await expectOk(call(admin, 'PATCH', `/transactions/${id}/action/${action}`))
    return id
  }
  const readDetail = (visitor: Visitor, id: string) =>
    expectOk(call(visitor, 'GET', `/transactions/${id}`))
  const id = await decide(21, 'approve')
  // The details at the time of the payment stay, although the payment option changes later. The
  // version is added here, because a test above has moved the clock of the ledger.
  const { id: option } = await gateway.db
    .selectFrom('platform.payment_option')
    .select('id')
    .executeTakeFirstOrThrow()
  const later = { bank: 'Other Bank', account_number: '2', extra: null }
  await gateway.db
    .insertInto('platform.payment_option_version')
    .values({ ...later, payment_option_id: option, valid_from: new Date(Date.now() + WEEK_MS) })
    .execute()
  expect(await readDetail(admin, id)).toMatchObject({
    paidFrom: { bank: 'Example Bank', accountNumber: '1' },
  })
  expect(await readDetail(investor, id)).not.toHaveProperty('paidFrom')

  await gateway.db.updateTable('platform.payment_option').set({ is_visible: false }).execute()
  expect(await readDetail(admin, await decide(22, 'approve'))).toMatchObject({ paidFrom: null })

  const declined = await decide(23, 'decline')
  expect(await readDetail(admin, declined)).not.toHaveProperty('paidFrom')
})
