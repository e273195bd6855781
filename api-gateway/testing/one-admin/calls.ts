import { toAmount } from '@cairn/gateway-contracts'
import fc from 'fast-check'
import { type Reply, send } from '../test-gateway.ts'
import { THRESHOLD } from './baseline.ts'
import type { Place } from './people.ts'
import { FIELD_CHANGES, saveFields } from './settings-changes.ts'
import type { World } from './world.ts'

/** A call of the administrator. `one` and `other` select the object and the variant of the call. */
export interface Call {
  readonly kind: Kind
  readonly one: number
  readonly other: number
  readonly amountMinor: bigint
  /** True if the next call starts before this call is answered. */
  readonly isConcurrent: boolean
}

interface Scene {
  world: World
  place: Place
}
type Perform = (scene: Scene, call: Call) => Promise<Reply>

const HOUR_MS = 3_600_000
const reason = 'a reason of enough length'

const post = (path: string, body: (call: Call, scene: Scene) => object): Perform => {
  return (scene, call) => callAsAdmin(scene, 'POST', path, body(call, scene))
}

/** Sends a call in the session of the administrator. */
function callAsAdmin(
  { world }: Scene,
  method: string,
  path: string,
  body?: object,
): Promise<Reply> {
  const request = { method, path, ...(body === undefined ? {} : { body }) }
  return send(world.gateway, world.admin, request)
}

function decide(
  { verb, reverse = false }: { verb: 'approve' | 'decline'; reverse?: boolean },
  pick: (place: Place) => readonly string[],
): Perform {
  return (scene, { one, other, amountMinor }) => {
    const ids = pick(scene.place)
    const isOtherAmount = verb === 'approve' && !reverse && other % 2 === 1
    const amount = isOtherAmount ? { approvedAmount: toAmount(amountMinor) } : {}
    const path = `/transactions/${ids[one % ids.length]}/action/${verb}`
    return callAsAdmin(scene, 'PATCH', path, { reason, ...(reverse ? { reverse } : {}), ...amount })
  }
}

const createCallAboutColleague =
  (method: string, path: string, body?: object): Perform =>
  (scene, { one }) => {
    const { colleagues } = scene.world
    return callAsAdmin(scene, method, path.replace(':id', colleagues[one % 2] ?? ''), body)
  }

const getAmount = ({ amountMinor }: Call) => toAmount(amountMinor)
const getDeposits = (place: Place) => place.deposits
const getWithdrawals = (place: Place) => place.withdrawals

const CALLS = {
  'fund a wallet': (scene, call) =>
    callAsAdmin(scene, 'PATCH', `/users/${scene.place.investorId}/wallets`, {
      ...{ wallet_type: 'balance', amount: getAmount(call), category: 'gift', reason },
    }),
  'approve a deposit': decide({ verb: 'approve' }, getDeposits),
  'decline a deposit': decide({ verb: 'decline' }, getDeposits),
  'reverse to approved': decide({ verb: 'approve', reverse: true }, getDeposits),
  'reverse to declined': decide({ verb: 'decline', reverse: true }, getDeposits),
  'approve a withdrawal': decide({ verb: 'approve' }, getWithdrawals),
  'decline a withdrawal': decide({ verb: 'decline' }, getWithdrawals),
  'reverse a withdrawal': decide({ verb: 'decline', reverse: true }, getWithdrawals),
  'pay a declined withdrawal': decide({ verb: 'approve', reverse: true }, getWithdrawals),
  'correct a wallet': post('/admin/adjustments', (call, { place }) => ({
    ...{ user: place.investorId, wallet_type: 'balance', amount: getAmount(call), reason },
    direction: call.one % 2 === 0 ? 'credit' : 'debit',
  })),
  'fund the reserve': post('/admin/reserve', (call) => ({ amount: getAmount(call), note: reason })),
  'withdraw from the reserve': post('/admin/reserve/withdraw', (call) => ({
    amount: getAmount(call),
    note: reason,
  })),
  'sweep to the reserve': post('/admin/reserve/sweep', (call) => ({
    ...{ amount: getAmount(call), from: call.one % 2 === 0 ? 'fees' : 'income', note: reason },
  })),
  'deny an investment': (scene) =>
    callAsAdmin(scene, 'PATCH', `/investments/${scene.place.investmentId}/status`, {
      ...{ status: 'denied', reason },
    }),
  'permit a new signing key': post('/admin/ledger/signing-key/rotation', () => ({ reason })),
  'permit an import': post('/admin/ledger/imports', () => ({ sha256: 'a'.repeat(64), reason })),
  'save settings': ({ world }, { one, other }) => {
    // The form weakens one field, or it weakens one field and changes a second field.
    const chosen = other % 2 === 0 ? [one] : [one, other]
    const isChosen = (place: number) => chosen.some((at) => at % FIELD_CHANGES.length === place)
    return saveFields(
      world,
      FIELD_CHANGES.filter((_change, place) => isChosen(place)),
    )
  },
  'create a plan': post('/plans', ({ one }) => ({
    ...{ planDuration: 1 + (one % 30), timingParameter: 'days', minDeposit: 50, percentage: 50 },
    ...{ returnPrincipal: true, sourceOfReturn: 'a source' },
  })),
  'change a plan': (scene, { one }) =>
    callAsAdmin(
      scene,
      'PATCH',
      `/plans/${scene.world.planId}`,
      PLAN_CHANGES[one % PLAN_CHANGES.length],
    ),
  'archive a plan': (scene) => callAsAdmin(scene, 'DELETE', `/plans/${scene.world.planId}`),
  'add a payment option': post('/paymentOptions', ({ one }) => ({
    ...{ payOption: 'Bank Transfer', bank: 'Mine', accountNumber: '99' },
    displayStatus: one % 2 === 0,
  })),
  'change a payment option': (scene, { one }) =>
    callAsAdmin(scene, 'PATCH', `/paymentOptions/${scene.world.optionId}`, {
      ...(one % 3 > 0 ? { displayStatus: one % 3 === 1 } : { accountNumber: '99' }),
    }),
  'remove a payment option': (scene) =>
    callAsAdmin(scene, 'DELETE', `/paymentOptions/${scene.world.optionId}`),
  'save a mail text': (scene) =>
    callAsAdmin(scene, 'PUT', '/admin/templates/welcome', { subject: 'Hello', body: 'A new text' }),
  'send an announcement': post('/admin/announcements', () => ({
    ...{ kind: 'market-update', subject: 'News', text: 'A new text' },
  })),
  'invite an administrator': post('/users/invite', ({ one, other }) => ({
    ...{ name: 'Another Self', email: `self-${one}-${other}@example.com` },
  })),
  'change roles': createCallAboutColleague('PUT', '/users/:id/roles', {
    roles: [{ role: 'auditor' }],
  }),
  'deactivate an administrator': createCallAboutColleague('PATCH', '/users/:id/status', {
    status: 'deactivate',
  }),
  'delete an administrator': createCallAboutColleague('DELETE', '/users/:id'),
  'reset a factor': createCallAboutColleague('POST', '/users/:id/reset_mfa', {
    proof: 'Seen in person',
  }),
  'force a password reset': createCallAboutColleague('POST', '/users/:id/force_reset'),
  'approve an own request': async (scene, { one }) => {
    const listing = await callAsAdmin(scene, 'GET', '/admin/approvals?state=open')
    const { changeRequests = [] } = (listing.body.data ?? {}) as unknown as Listed
    const found = changeRequests[one % Math.max(1, changeRequests.length)]
    if (found === undefined) return listing
    const { id, payloadSha256 } = found
    return callAsAdmin(scene, 'POST', `/admin/approvals/${id}/approve`, { payloadSha256 })
  },
  wait: async (scene, { one }) => {
    await scene.world.gateway.moveAllClocks((1 + (one % 26)) * HOUR_MS)
    return callAsAdmin(scene, 'GET', '/admin/dualControl')
  },
} as const satisfies Record<string, Perform>

interface Listed {
  changeRequests: readonly { id: string; payloadSha256: string }[]
}

const PLAN_CHANGES = [
  { percentage: 6 },
  { percentage: 4 },
  { referalBonus: 2 },
  { planDuration: 5 },
  { maxDeposit: null },
  { minDeposit: 5 },
] as const

export type Kind = keyof typeof CALLS
// The cast is safe because the object has exactly these keys.
export const KINDS = Object.keys(CALLS) as readonly Kind[]

/**
 * Calls that move money are frequent, because only several of them together reach the threshold.
 */
const MONEY = KINDS.slice(0, KINDS.indexOf('save settings'))

export const calls: fc.Arbitrary<readonly Call[]> = fc.array(
  fc.record({
    kind: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...MONEY) },
      { weight: 1, arbitrary: fc.constantFrom('save settings', 'approve an own request') },
      { weight: 2, arbitrary: fc.constantFrom(...KINDS) },
    ),
    one: fc.nat(1_000),
    other: fc.nat(1_000),
    amountMinor: fc.oneof(
      fc.constantFrom(THRESHOLD, THRESHOLD - 1n, THRESHOLD / 2n, THRESHOLD / 3n),
      fc.bigInt({ min: 1n, max: 2n * THRESHOLD }),
    ),
    isConcurrent: fc.boolean(),
  }),
  { minLength: 3, maxLength: 6, size: 'max' },
)

/**
 * Makes the calls in order. A call starts at once if the previous call is marked as concurrent.
 * Otherwise the call waits until all previous calls are answered. A move of the clock always waits.
 */
export async function performCalls(scene: Scene, script: readonly Call[]): Promise<void> {
  let pending: Promise<Reply>[] = []
  for (const call of script) {
    if (call.kind === 'wait') await Promise.all(pending.splice(0))
    pending.push(CALLS[call.kind](scene, call))
    if (call.isConcurrent) continue
    await Promise.all(pending)
    pending = []
  }
  await Promise.all(pending)
}
