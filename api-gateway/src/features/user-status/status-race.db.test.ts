import type { Answer, Command, LedgerClient } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addUser,
  send,
  startTestGateway,
  type TestGateway,
  visitAs,
} from '../../../testing/test-gateway.ts'
import { activateInvestor } from '../users/activation.ts'
import { getUserRow } from '../users/index.ts'
import { type StatusVerb, setInvestorStatus } from './status.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway?.stop())

const addPending = () => addUser(gateway, { role: 'user', status: 'pending' })

/** Returns the status in the database of the site and in the ledger. */
async function readStatuses(userId: string) {
  const { status } = await getUserRow(gateway.db, userId)
  const { investors } = await gateway.ledger.ask('investors', { investorIds: [userId] })
  return { site: status, ledger: investors[0]?.standing ?? null }
}

/** Returns a ledger that records each command and then calls `answer`. */
function answerLater(answer: (recorded: Answer) => Promise<Answer>): LedgerClient {
  const submit = async (command: Command) => answer(await gateway.ledger.unrecorded.submit(command))
  return { ...gateway.ledger.unrecorded, submit }
}

/**
 * Returns a function that sets the status as another administrator, who has seen the account while
 * it was pending.
 */
async function openDecision(userId: string) {
  const user = await getUserRow(gateway.db, userId)
  // The cast is safe because the function reads only the id of the administrator.
  const admin = { userId: 'an-administrator' } as Parameters<typeof setInvestorStatus>[1]['admin']
  return (verb: StatusVerb, ledger: LedgerClient = gateway.ledger) =>
    setInvestorStatus(
      { db: gateway.db, ledger },
      { user, verb, admin, seenName: null, requestId: 'r', nowMs: gateway.deps.clock.now() },
    )
}

async function isLockAwaited(): Promise<boolean> {
  const { rows } = await sql`select from pg_locks where not granted`.execute(gateway.db)
  return rows.length > 0
}

/** Waits until the act has ended or waits for a lock of another transaction. */
async function waitUntilEndedOrLocked(act: Promise<unknown>): Promise<void> {
  let isEnded = false
  const end = () => {
    isEnded = true
  }
  act.then(end, end)
  await expect.poll(async () => isEnded || (await isLockAwaited())).toBe(true)
}

test('two administrators who approve and deny one account at once leave one status', async () => {
  const userId = await addPending()
  const decide = await openDecision(userId)
  let denial: Promise<unknown> = Promise.resolve()
  const slow = answerLater(async (recorded) => {
    denial = decide('deny')
    await waitUntilEndedOrLocked(denial)
    return recorded
  })
  await decide('approve', slow)
  const [denied] = await Promise.allSettled([denial])
  expect(await readStatuses(userId)).toEqual({ site: 'active', ledger: 'active' })
  expect(denied).toMatchObject({
    status: 'rejected',
    reason: { code: 'STATUS_CONFLICT', message: 'A user who is active cannot become denied' },
  })
})

test('a denial while an account is activated automatically leaves one status', async () => {
  const userId = await addPending()
  const now = new Date(gateway.deps.clock.now())
  await gateway.db
    .updateTable('identity.user')
    .set({ activation_wanted_at: now })
    .where('id', '=', userId)
    .execute()
  const decide = await openDecision(userId)
  const user = { userId, referrerId: null, nowMs: now.getTime() }
  let activation: Promise<unknown> = Promise.resolve()
  const slow = answerLater(async (recorded) => {
    activation = activateInvestor({ db: gateway.db, ledger: gateway.ledger }, user)
    await waitUntilEndedOrLocked(activation)
    return recorded
  })
  await decide('deny', slow)
  await Promise.allSettled([activation])
  expect(await readStatuses(userId)).toEqual({ site: 'denied', ledger: 'denied' })
})

test('after a lost answer, the next decision sets the status in the ledger and on the site', async () => {
  const userId = await addPending()
  const decide = await openDecision(userId)
  const lossy = answerLater(async () => {
    return { outcome: 'failed', code: 'UNAVAILABLE', message: 'the answer was lost' }
  })
  await expect(decide('approve', lossy)).rejects.toMatchObject({ status: 503 })
  expect(await readStatuses(userId)).toEqual({ site: 'pending', ledger: 'active' })
  await decide('deny')
  expect(await readStatuses(userId)).toEqual({ site: 'denied', ledger: 'denied' })
  await decide('approve', lossy).catch(() => undefined)
  await decide('approve')
  expect(await readStatuses(userId)).toEqual({ site: 'active', ledger: 'active' })
})

test('after a lost answer, a decision for the status that the site has sets it in the ledger', async () => {
  const userId = await addPending()
  const decide = await openDecision(userId)
  const lossy = answerLater(async () => {
    return { outcome: 'failed', code: 'UNAVAILABLE', message: 'the answer was lost' }
  })
  await decide('approve')
  const admin = await visitAs(gateway, 'admin')
  const path = `/users/${userId}/status`
  for (const [lost, status, site] of [
    ['deactivate', 'active', 'active'],
    ['active', 'deactivate', 'deactivated'],
  ] as const) {
    await decide(status)
    await expect(decide(lost, lossy)).rejects.toMatchObject({ status: 503 })
    expect((await readStatuses(userId)).ledger).not.toBe(site)
    const reply = await send(gateway, admin, { method: 'PATCH', path, body: { status } })
    expect(reply).toMatchObject({ status: 200, body: { data: { user: { status: site } } } })
    expect(await readStatuses(userId)).toEqual({ site, ledger: site })
  }
})
