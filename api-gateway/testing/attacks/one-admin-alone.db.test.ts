import { toAmount } from '@cairn/gateway-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addApprover } from '../dual-control.ts'
import { THRESHOLD } from '../one-admin/baseline.ts'
import { readControls } from '../one-admin/controls.ts'
import { HOLES } from '../one-admin/holes.ts'
import type { Place } from '../one-admin/people.ts'
import { FIELD_CHANGES, saveFields } from '../one-admin/settings-changes.ts'
import { findViolation, readEvents } from '../one-admin/violation.ts'
import { addFactors, openWorld, type World } from '../one-admin/world.ts'
import { addUser, openVisit, type Reply, send, type Visitor } from '../test-gateway.ts'

// These tests act as one rogue administrator with every role and a session.

interface Attack {
  world: World
  place: Place
  call(method: string, path: string, body?: object, by?: Visitor): Promise<Reply>
}
/**
 * An attempt with the expected answer, such as `409 CHANGE_REQUESTED`. After a first approval, the
 * expected answer is `200 waits`.
 */
type Attempt = readonly [name: string, expected: string, attempt: (at: Attack) => Promise<Reply>]

const reason = 'a reason of enough length'
const ASKED = '409 CHANGE_REQUESTED'
const WAITS = '200 waits'
const LIMIT = toAmount(THRESHOLD)
const HALF = LIMIT / 2

const fund = ({ call, place }: Attack, amount: number) =>
  call('PATCH', `/users/${place.investorId}/wallets`, {
    ...{ wallet_type: 'balance', amount, category: 'gift', reason },
  })
const decide = ({ call }: Attack, id: string | undefined, verb: string, body: object = {}) =>
  call('PATCH', `/transactions/${id}/action/${verb}`, { reason, ...body })
const createCallAboutColleague = (method: string, path: string, body?: object) => (at: Attack) =>
  at.call(method, path.replace(':id', at.world.colleagues[0]), body)

const MONEY: readonly Attempt[] = [
  ['funds a wallet with the threshold', ASKED, (at) => fund(at, LIMIT)],
  [
    'approves a small deposit with a large amount',
    WAITS,
    (at) => decide(at, at.place.deposits[0], 'approve', { approvedAmount: 9_000_000 }),
  ],
  ['pays a large withdrawal', WAITS, (at) => decide(at, at.place.withdrawals[1], 'approve')],
  [
    'credits a declined deposit by a reversal',
    ASKED,
    (at) => decide(at, at.place.deposits[3], 'approve', { reverse: true }),
  ],
  [
    'takes a payout back by a reversal',
    ASKED,
    (at) => decide(at, at.place.withdrawals[3], 'decline', { reverse: true }),
  ],
  [
    'reverses an own decision',
    ASKED,
    async (at) => {
      await decide(at, at.place.deposits[1], 'decline')
      return decide(at, at.place.deposits[1], 'approve', { reverse: true })
    },
  ],
  [
    'corrects a wallet by the threshold',
    ASKED,
    ({ call, place }) =>
      call('POST', '/admin/adjustments', {
        ...{ user: place.investorId, wallet_type: 'balance', amount: LIMIT },
        ...{ direction: 'credit', reason },
      }),
  ],
  [
    'funds the reserve',
    ASKED,
    ({ call }) => call('POST', '/admin/reserve', { amount: LIMIT, note: reason }),
  ],
  [
    'withdraws the reserve',
    ASKED,
    ({ call }) => call('POST', '/admin/reserve/withdraw', { amount: LIMIT, note: reason }),
  ],
  [
    'sweeps the fees',
    ASKED,
    ({ call }) =>
      call('POST', '/admin/reserve/sweep', { amount: LIMIT, from: 'fees', note: reason }),
  ],
  [
    'splits the threshold over two kinds of acts',
    ASKED,
    async (at) => {
      expect((await fund(at, HALF)).status).toBe(200)
      return at.call('PATCH', `/investments/${at.place.investmentId}/status`, {
        ...{ status: 'denied', reason },
      })
    },
  ],
]

const CONTROLS: readonly Attempt[] = [
  ...FIELD_CHANGES.filter(({ isWeaker }) => isWeaker).map(
    (change): Attempt => [
      `saves ${change.name} = ${JSON.stringify(change.value)}`,
      ASKED,
      ({ world }) => saveFields(world, [change]),
    ],
  ),
  [
    'creates a plan',
    ASKED,
    ({ call }) =>
      call('POST', '/plans', {
        ...{ planDuration: 1, timingParameter: 'days', minDeposit: 50, percentage: 5 },
        ...{ returnPrincipal: true, sourceOfReturn: 'a source' },
      }),
  ],
  [
    'raises the profit of a plan',
    ASKED,
    ({ call, world }) => call('PATCH', `/plans/${world.planId}`, { percentage: 6 }),
  ],
  [
    'leads deposits to another account',
    ASKED,
    ({ call, world }) =>
      call('PATCH', `/paymentOptions/${world.optionId}`, { accountNumber: '99' }),
  ],
  [
    'adds an account',
    ASKED,
    ({ call }) =>
      call('POST', '/paymentOptions', {
        ...{ payOption: 'Bank Transfer', bank: 'Mine', accountNumber: '9', displayStatus: true },
      }),
  ],
  [
    'rewords a mail',
    ASKED,
    ({ call }) => call('PUT', '/admin/templates/welcome', { subject: 'Hello', body: 'A text' }),
  ],
  [
    'writes to all people who asked for news',
    ASKED,
    ({ call }) =>
      call('POST', '/admin/announcements', {
        ...{ kind: 'market-update', subject: 'News', text: 'Pay to the new account.' },
      }),
  ],
  [
    'links a mail to another host',
    '400 INVALID',
    ({ call }) =>
      call('PUT', '/admin/templates/welcome', {
        ...{ subject: 'Hello', body: '[Open](https://foreign.example/path)' },
      }),
  ],
]

const PEOPLE: readonly Attempt[] = [
  [
    'invites a second self',
    ASKED,
    ({ call }) =>
      call('POST', '/users/invite', { name: 'Another Self', email: 'self@example.com' }),
  ],
  [
    'deactivates another administrator',
    ASKED,
    createCallAboutColleague('PATCH', '/users/:id/status', { status: 'deactivate' }),
  ],
  [
    'takes the roles of another administrator',
    ASKED,
    createCallAboutColleague('PUT', '/users/:id/roles', { roles: [{ role: 'auditor' }] }),
  ],
  ['deletes another administrator', ASKED, createCallAboutColleague('DELETE', '/users/:id')],
  [
    'resets the factor of another administrator',
    ASKED,
    createCallAboutColleague('POST', '/users/:id/reset_mfa', { proof: 'Seen in person' }),
  ],
  [
    'forces a new password of another administrator',
    ASKED,
    createCallAboutColleague('POST', '/users/:id/force_reset'),
  ],
  [
    'approves an own request',
    '409 SECOND_APPROVER_NEEDED',
    async (at) => approveOwnRequest(at, at.world.admin),
  ],
]

/** Attempts to hide traces or to disable dual control, for which the API has no endpoint. */
const TRACES: readonly Attempt[] = [
  ['deletes the audit log', '404 NOT_FOUND', ({ call }) => call('DELETE', '/admin/audit')],
  [
    'switches dual control off',
    '404 NOT_FOUND',
    ({ call }) => call('POST', '/admin/dualControl', { mode: 'single' }),
  ],
]

async function approveOwnRequest(at: Attack, by: Visitor): Promise<Reply> {
  const asked = await fund(at, 2 * LIMIT)
  const { id } = (asked.body.data as unknown as { changeRequest: { id: string } }).changeRequest
  const reading = await at.call('GET', `/admin/approvals/${id}`)
  // The cast is safe because the answer of this call has this property.
  const { changeRequest } = reading.body.data as unknown as {
    changeRequest: { payloadSha256: string }
  }
  const { payloadSha256 } = changeRequest
  return at.call('POST', `/admin/approvals/${id}/approve`, { payloadSha256 }, by)
}

/**
 * Adds a second administrator, who is a new approver and has a second factor. Returns the session
 * of this administrator.
 */
async function addAccomplice({ world: { gateway } }: Attack): Promise<Visitor> {
  const id = await addUser(gateway, { role: 'admin', status: 'active' })
  await addApprover(gateway, id)
  const accomplice = await openVisit(gateway, id)
  await addFactors(gateway, [id])
  return accomplice
}

function formatReply({ status, body }: Reply): string {
  const { transaction } = (body.data ?? {}) as { transaction?: { status: string } }
  const isWaiting = status === 200 && transaction?.status === 'pending'
  return `${status} ${isWaiting ? 'waits' : (body.code ?? '')}`.trim()
}

interface Outcome {
  /** Attempts with an unexpected answer. */
  unexpected: readonly string[]
  /** Attempts for which the audit log lacks the row of the attempt or the row of its result. */
  unrecorded: readonly string[]
  /**
   * The money that the attempts moved or the controls that they weakened, according to the log and
   * the stored controls.
   */
  violation: string | null
}

async function attack(world: World, attempts: readonly Attempt[]): Promise<Outcome> {
  const { gateway, before } = world
  const { ledger } = gateway
  const unexpected: string[] = []
  const unrecorded: string[] = []
  let violation: string | null = null
  for (const [name, expected, attempt] of attempts) {
    const at = await beginAttack(world)
    const { size } = await ledger.events({ after: 0n, waitSeconds: 0, limit: 1 })
    const reply = await attempt(at)
    if (formatReply(reply) !== expected) unexpected.push(`${name}: ${formatReply(reply)}`)
    const rows = await readAudit(world, reply)
    const result = reply.status < 300 ? 'success' : String(reply.body.code)
    if (!rows.includes('attempted') || !rows.includes(result)) unrecorded.push(name)
    const events = await readEvents(ledger, size)
    violation ??= findViolation(events, { before, after: await readControls(gateway) })
  }
  return { unexpected, unrecorded, violation }
}

async function beginAttack(world: World): Promise<Attack> {
  const place = await world.beginRound()
  const call: Attack['call'] = (method, path, body, by = world.admin) =>
    send(world.gateway, by, { method, path, ...(body === undefined ? {} : { body }) })
  return { world, place, call }
}

/** Returns the results of the audit rows of a call. */
async function readAudit({ gateway }: World, { headers }: Reply): Promise<readonly string[]> {
  const rows = await gateway.db
    .selectFrom('platform.audit')
    .select('result')
    .where('request_id', '=', headers.get('x-request-id') ?? '')
    .execute()
  return rows.map(({ result }) => result)
}

const ATTEMPTS = { money: MONEY, controls: CONTROLS, people: PEOPLE }

describe('one administrator alone', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world?.close())

  test.each(Object.entries(ATTEMPTS))(
    'reaches nothing, and every try is recorded: %s',
    async (_group, attempts) => {
      const nothing = { unexpected: [], unrecorded: [], violation: null }
      expect(await attack(world, attempts)).toEqual(nothing)
    },
  )

  test('finds no call that removes traces', async () => {
    const { unexpected } = await attack(world, TRACES)
    expect(unexpected).toEqual([])
  })

  test('ends the sessions of another administrator, which gives no access and is recorded', async () => {
    const { call } = await beginAttack(world)
    const reply = await call('POST', `/users/${world.colleagues[0]}/sessions/revoke`)
    expect(reply.status).toBe(204)
    expect(await readAudit(world, reply)).toEqual(['attempted', 'success'])
  })

  test('cannot approve with an administrator added now', async () => {
    const at = await beginAttack(world)
    expect(formatReply(await approveOwnRequest(at, await addAccomplice(at)))).toBe(
      '409 APPROVER_TOO_NEW',
    )
  })
})

test('sabotaged twin: where the gateway believes that one is enough, the attack succeeds', async () => {
  const world = await openWorld(HOLES['the gateway believes that one administrator is enough'])
  try {
    const { unexpected, violation } = await attack(world, [...CONTROLS, ...PEOPLE])
    expect(unexpected.length).toBeGreaterThan(10)
    expect(violation).not.toBeNull()
  } finally {
    await world.close()
  }
})
