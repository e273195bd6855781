import type { Answer, Command, LedgerClient } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUser, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { activateInvestor } from '../users/activation.ts'
import { getUserRow } from '../users/index.ts'
import { closeAndEraseAccount } from './deletion.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway?.stop())

/** Adds a person whose activation was interrupted. The worker repeats it. */
async function addWaiting(): Promise<string> {
  const userId = await addUser(gateway, { role: 'user', status: 'pending' })
  await gateway.db
    .updateTable('identity.user')
    .set({ activation_wanted_at: new Date(gateway.deps.clock.now()) })
    .where('id', '=', userId)
    .execute()
  return userId
}

/** Returns the standing in the ledger and what the site says about the person. */
async function readAccount(userId: string) {
  const row = await gateway.db
    .selectFrom('identity.user')
    .select(['status', 'activation_wanted_at', 'deleted_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const { investors } = await gateway.ledger.ask('investors', { investorIds: [userId] })
  return {
    status: row.status,
    isWaiting: row.activation_wanted_at !== null,
    isDeleted: row.deleted_at !== null,
    ledger: investors[0]?.standing ?? null,
  }
}

const activate = (userId: string, ledger: LedgerClient = gateway.ledger) =>
  activateInvestor(
    { db: gateway.db, ledger },
    { userId, referrerId: null, nowMs: gateway.deps.clock.now() },
  )

async function deletePerson(userId: string, ledger: LedgerClient = gateway.ledger): Promise<void> {
  const user = await getUserRow(gateway.db, userId)
  const nowMs = gateway.deps.clock.now()
  const deps = { db: gateway.db, ledger, objects: null }
  await closeAndEraseAccount(deps, { user, actor: 'admin:x', requestId: 'r', nowMs })
}

/** Returns a ledger that calls `answer` with each command and the way to record it. */
function wrapLedger(
  answer: (record: () => Promise<Answer>, command: Command) => Promise<Answer>,
): LedgerClient {
  const { unrecorded } = gateway.ledger
  const submit = (command: Command) => answer(() => unrecorded.submit(command), command)
  return { ...unrecorded, submit }
}

/** Waits until the act has ended or waits for a lock of another transaction. */
async function waitUntilEndedOrLocked(act: Promise<unknown>): Promise<void> {
  let isEnded = false
  const end = () => {
    isEnded = true
  }
  act.then(end, end)
  const isLockAwaited = async () => {
    const { rows } = await sql`select from pg_locks where not granted`.execute(gateway.db)
    return rows.length > 0
  }
  await expect.poll(async () => isEnded || (await isLockAwaited())).toBe(true)
}

test('a person who is deleted while the worker activates the account is closed in the ledger', async () => {
  const userId = await addWaiting()
  let deletion: Promise<unknown> = Promise.resolve()
  // The worker holds the row, and its command reaches the ledger after that of the deletion.
  const slow = wrapLedger(async (record) => {
    deletion = deletePerson(userId)
    await waitUntilEndedOrLocked(deletion)
    return record()
  })
  await Promise.allSettled([activate(userId, slow)])
  await deletion
  expect(await readAccount(userId)).toEqual({
    status: 'denied',
    isWaiting: false,
    isDeleted: true,
    ledger: 'closed',
  })
})

test('sabotaged twin: a command that does not wait for the worker leaves an active investor', async () => {
  const userId = await addWaiting()
  const slow = wrapLedger(async (record) => {
    const close = { type: 'CloseInvestor', data: { investorId: userId }, actor: 'admin:x' } as const
    const rest = { key: null, requestId: 'r', effectiveAt: null }
    const closed = await gateway.ledger.unrecorded.submit({ ...close, ...rest })
    expect(closed).toMatchObject({ outcome: 'refused', code: 'INVESTOR_UNKNOWN' })
    return record()
  })
  await activate(userId, slow)
  expect(await readAccount(userId)).toMatchObject({ ledger: 'active' })
})

test('an activation that begins during a deletion creates no investor', async () => {
  const userId = await addWaiting()
  let activation: Promise<unknown> = Promise.resolve()
  const slow = wrapLedger(async (record) => {
    const answer = await record()
    activation = activate(userId)
    await waitUntilEndedOrLocked(activation)
    return answer
  })
  await deletePerson(userId, slow)
  await expect(activation).rejects.toThrow('does not wait for its activation')
  expect(await readAccount(userId)).toEqual({
    status: 'denied',
    isWaiting: false,
    isDeleted: true,
    ledger: null,
  })
})

test('a deletion that the ledger refuses changes nothing, so the activation is repeated', async () => {
  const userId = await addWaiting()
  const refusing = wrapLedger(async () => ({
    outcome: 'refused',
    code: 'INVESTOR_NOT_EMPTY',
    message: 'The account still has money, a pending request or a running investment',
    details: {},
  }))
  await expect(deletePerson(userId, refusing)).rejects.toMatchObject({ code: 'INVESTOR_NOT_EMPTY' })
  expect(await readAccount(userId)).toEqual({
    status: 'pending',
    isWaiting: true,
    isDeleted: false,
    ledger: null,
  })
  await activate(userId)
  expect(await readAccount(userId)).toMatchObject({ status: 'active', ledger: 'active' })
})
