import { CHANGE_KINDS, type ChangeKind } from '@cairn/gateway-contracts'
import { type Answer, type ApiClient, logInAs } from './api-client.ts'
import { runSqlAsSuperuser } from './intruder.ts'
import { addAdmin, addInvestor, openAdminApi, type Person, requestDeposit } from './people.ts'
import { createReceiptPng } from './picture.ts'
import type { TestPlatform } from './platform.ts'

const DAY_MS = 86_400_000
const reason = 'Two people have to look at this one'

/**
 * The objects that the proposals change. They are created before dual control is required, so one
 * administrator can still decide any amount.
 */
export interface Objects {
  /** An investor who has a pending withdrawal. */
  investor: Person
  depositId: string
  declinedDepositId: string
  withdrawalId: string
  paidWithdrawalId: string
  investmentId: string
  /**
   * The administrators whom the proposals change, one for each kind of change. These administrators
   * make no decisions.
   */
  targets: Readonly<Record<TargetKind, string>>
}
const TARGET_KINDS = [
  'admin-status',
  'admin-roles',
  'admin-deletion',
  'admin-mfa-reset',
  'admin-password-reset',
] as const
type TargetKind = (typeof TARGET_KINDS)[number]

export async function prepareObjects(platform: TestPlatform): Promise<Objects> {
  const admin = await openAdminApi(platform)
  // The operator can move the fee of this deposit to the reserve.
  await setDepositFee(admin, 2)
  const investor = await addInvestor(platform, { name: 'Ines Proposed' })
  await setDepositFee(admin, 0)
  const own = await logInAs(platform.url, investor.email, investor.password)
  // The proposed announcement needs a recipient.
  requireData(await own.send('PUT', 'users/me/preferences', { marketUpdates: true }))
  const withdraw = async (amount: number): Promise<string> => {
    const { accounts } = requireData(await own.get('users/me/banks'))
    const form = { type: 'withdrawal', pay_option: 'balance', bank_id: accounts[0].id, amount }
    return requireData(await own.send('POST', 'users/me/transactions', form)).transaction.id
  }
  const declined = await requestDeposit(platform, investor, '160')
  requireData(await admin.send('PATCH', `transactions/${declined.id}/action/decline`, { reason }))
  const paidWithdrawalId = await withdraw(130)
  requireData(await admin.send('PATCH', `transactions/${paidWithdrawalId}/action/approve`))
  const targets: Record<string, string> = {}
  for (const kind of TARGET_KINDS) {
    const name = `Tara ${kind.replace('admin-', '').replaceAll('-', ' ')}`
    targets[kind] = (await addAdmin(platform, { name, role: 'support' })).id
  }
  const withFactor = `id = '${targets['admin-mfa-reset']}'`
  const on = `update identity.user set mfa_enabled_at = now() where ${withFactor}`
  await runSqlAsSuperuser(platform, on)
  return {
    investor,
    depositId: (await requestDeposit(platform, investor, '150')).id,
    declinedDepositId: declined.id,
    withdrawalId: await withdraw(140),
    paidWithdrawalId,
    investmentId: await invest(own),
    // The cast is safe because the loop sets all targets.
    targets: targets as Objects['targets'],
  }
}

async function invest(own: ApiClient): Promise<string> {
  const { plans } = requireData(await own.get('plans'))
  const smallest = plans.toSorted(
    (one: { minDeposit: number }, other: { minDeposit: number }) =>
      one.minDeposit - other.minDeposit,
  )[0]
  const opening = { plan: smallest.id, amount: Math.max(120, smallest.minDeposit) }
  return requireData(await own.send('POST', 'users/me/investments', opening)).investment.id
}

async function setDepositFee(admin: ApiClient, depositFee: number): Promise<void> {
  const { version: _version, ...settings } = requireData(await admin.get('admin/settings')).settings
  const payment = { ...settings.payment, depositFee }
  requireData(await admin.send('POST', 'admin/settings', { ...settings, payment }))
}

type Propose = (maker: ApiClient, objects: Objects) => Promise<Answer>

/** A new ledger needs a ledger service with several ledgers, which these platforms do not have. */
export type ProposedKind = Exclude<ChangeKind, 'ledger'>
export const PROPOSED_KINDS = CHANGE_KINDS.filter((kind) => kind !== 'ledger')

/** The documented call that proposes each kind of change. */
export const PROPOSALS: Readonly<Record<ProposedKind, Propose>> = {
  settings: async (maker) => {
    const { version: _version, ...settings } = requireData(
      await maker.get('admin/settings'),
    ).settings
    const security = { ...settings.security, loginAttempts: 8, credentialHoldHours: 12 }
    return maker.send('POST', 'admin/settings', { ...settings, security, reason })
  },
  'payment-option': (maker) =>
    maker.send('POST', 'paymentOptions', {
      ...{ payOption: 'Bank Transfer', bank: 'Quarry Bank', accountNumber: 'DE02 1203 0000 0000' },
      ...{ displayStatus: false, reason },
    }),
  'mail-template': (maker) =>
    maker.send('PUT', 'admin/templates/welcome', {
      ...{ subject: 'Welcome to the quarry', reason },
      body: 'Hello,\n\nyour account is open.\n\n- Opened: today\n- Next step: a deposit',
    }),
  announcement: (maker) =>
    maker.send('POST', 'admin/announcements', {
      ...{ kind: 'market-update', subject: 'The quarry is open', reason },
      text: 'The market opens on Monday.\n\nNothing changes for your investments.',
    }),
  'admin-invitation': (maker) =>
    maker.send('POST', 'users/invite', {
      ...{ name: 'Ivo Invited', email: `ivo.${Date.now()}@cairn.example`, reason },
      roles: [{ role: 'support' }],
    }),
  'admin-status': (maker, { targets }) =>
    maker.send('PATCH', `users/${targets['admin-status']}/status`, {
      ...{ status: 'deactivate', reason },
    }),
  'admin-roles': (maker, { targets }) =>
    maker.send('PUT', `users/${targets['admin-roles']}/roles`, {
      ...{ roles: [{ role: 'auditor', endsAt: '2099-12-31T00:00:00.000Z' }], reason },
    }),
  'admin-deletion': (maker, { targets }) =>
    maker.send('DELETE', `users/${targets['admin-deletion']}`),
  'admin-mfa-reset': (maker, { targets }) =>
    maker.send('POST', `users/${targets['admin-mfa-reset']}/reset_mfa`, {
      proof: 'Seen in person with a passport',
    }),
  'admin-password-reset': (maker, { targets }) =>
    maker.send('POST', `users/${targets['admin-password-reset']}/force_reset`),
  claim: (maker) =>
    maker.send('PUT', 'admin/claims/support-hours', { hours: 'Weekdays from 9 to 17 h UTC' }),
  attestation: (maker) => {
    const form = new FormData()
    form.set('asOf', new Date(Date.now() - 40 * DAY_MS).toISOString().slice(0, 10))
    form.set('assets', '987654.32')
    form.set('document', createReceiptPng(), 'statement.png')
    return maker.send('POST', 'admin/attestations', form)
  },
  plan: (maker) =>
    maker.send('POST', 'plans', {
      ...{ name: 'Quarry', planDuration: 30, timingParameter: 'days', minDeposit: 50 },
      ...{ maxDeposit: 5_000, percentage: 1, referalBonus: 1, returnPrincipal: true },
      ...{ sourceOfReturn: 'Rent of a quarry', reason },
    }),
  'deposit-approval': (maker, { depositId }) =>
    maker.send('PATCH', `transactions/${depositId}/action/approve`, { approvedAmount: 149 }),
  'withdrawal-approval': (maker, { withdrawalId }) =>
    maker.send('PATCH', `transactions/${withdrawalId}/action/approve`, {
      payoutReference: 'Batch 7, line 3',
    }),
  'deposit-reversal': (maker, { declinedDepositId }) =>
    maker.send('PATCH', `transactions/${declinedDepositId}/action/approve`, {
      ...{ reverse: true, reason },
    }),
  'withdrawal-reversal': (maker, { paidWithdrawalId }) =>
    maker.send('PATCH', `transactions/${paidWithdrawalId}/action/decline`, {
      ...{ reverse: true, reason },
    }),
  'wallet-funding': (maker, { investor }) =>
    maker.send('PATCH', `users/${investor.id}/wallets`, {
      ...{ wallet_type: 'balance', amount: 210, category: 'gift', reason },
    }),
  'wallet-adjustment': (maker, { investor }) =>
    maker.send('POST', 'admin/adjustments', {
      ...{ user: investor.id, wallet_type: 'balance', amount: 110, direction: 'debit', reason },
    }),
  'reserve-funding': (maker) => fundReserve(maker, 2_100),
  'reserve-withdrawal': (maker) =>
    maker.send('POST', 'admin/reserve/withdraw', {
      amount: 310,
      note: 'To the owner of the platform',
    }),
  'reserve-sweep': (maker) =>
    maker.send('POST', 'admin/reserve/sweep', { amount: 1, from: 'fees', note: reason }),
  'investment-denial': (maker, { investmentId }) =>
    maker.send('PATCH', `investments/${investmentId}/status`, { status: 'denied', reason }),
  'signing-key-rotation': (maker) =>
    maker.send('POST', 'admin/ledger/signing-key/rotation', { reason }),
  'balance-import': (maker) =>
    maker.send('POST', 'admin/ledger/imports', { sha256: 'a'.repeat(64), reason }),
}

export function fundReserve(maker: ApiClient, amount: number): Promise<Answer> {
  return maker.send('POST', 'admin/reserve', { amount, note: 'Own money of the operator' })
}

/** Returns the id of the change request that the call created. */
export async function findProposedRequestId(maker: ApiClient, answer: Answer): Promise<string> {
  if (answer.body.code === 'CHANGE_REQUESTED') return answer.body.data.changeRequest.id
  // A call that gives only the first approval of a transaction is answered with the transaction,
  // not with the change request.
  const target = requireData(answer).transaction.id
  const { changeRequests } = requireData(
    await maker.get(`admin/approvals?state=open&target=${target}`),
  )
  return changeRequests[0].id
}

export function requireData({ status, body }: Answer) {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.data ?? {}
}
