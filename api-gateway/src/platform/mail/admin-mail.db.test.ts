import { createId } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createFakeLedger } from '../../../testing/fake-ledger.ts'
import { addMailReader, type SentMail } from '../../../testing/sent-mail.ts'
import { createAdminRow } from '../../features/users/new-admin.ts'
import { grantRoles } from '../access/granted-roles.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { recordAudit } from '../http/audit.ts'
import { createKeyRing } from '../keys/key-ring.ts'
import { createOutboxSeal } from '../keys/seal.ts'
import { createDefaultSettings, createSettings } from '../settings-store/site-settings.ts'
import { deliverMail } from './deliver.ts'
import type { MailPayload } from './mail-job.ts'
import { queueMail } from './outbox.ts'

const publicUrl = 'https://cairn.test'
const seal = createOutboxSeal(createKeyRing({ value: 'a secret for tests' }))
const clock = { now: Date.now }
const USER = '0123456789abcdefghjk'
const sent: SentMail[] = []
// The cast is safe because `deliverMail` passes such an object.
const transport = { sendMail: async (mail: unknown) => void sent.push(mail as SentMail) }

let database: TestDatabase
let gateway: Database
let worker: Database

beforeAll(async () => {
  database = await createTestDatabase()
  const openAs = (role: string) =>
    openDatabase({ url: database.urlFor(role), applicationName: 'test', onError: () => {} })
  gateway = openAs('cairn_gateway')
  worker = openAs('cairn_gateway_worker')
  await addMailReader(gateway, USER)
})
beforeEach(() => {
  sent.length = 0
})
afterAll(async () => {
  await Promise.all([gateway.destroy(), worker.destroy()])
  await database.drop()
})

/** Delivers a mail as the worker does, with the current settings. */
async function deliver(payload: MailPayload, ledger = createFakeLedger()): Promise<void> {
  const settings = createSettings(worker, { isDemo: false, publicUrl })
  await deliverMail({ db: worker, ledger, clock, seal, settings, transport, publicUrl }, payload)
}

async function saveNotificationSettings(
  notifications: Record<string, unknown>,
  general: Record<string, unknown> = {},
): Promise<void> {
  const defaults = createDefaultSettings({ isDemo: false, publicUrl })
  const content = JSON.stringify({
    ...defaults,
    general: { ...defaults.general, siteName: 'Rock & Co', ...general },
    notifications: { ...defaults.notifications, ...notifications },
  })
  const row = { id: 'site' as const, version: 1, content, updated_at: new Date(), updated_by: null }
  await gateway
    .insertInto('platform.setting')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

let seq = 0
function createDeposit(part: 'investor' | 'office'): Extract<MailPayload, { source: 'event' }> {
  seq += 1
  const data = {
    transactionId: USER,
    investorId: USER,
    amountMinor: '10000',
    feeMinor: '0',
    feePpm: '0',
    method: 'bank',
    paymentOptionId: null,
    receiptId: 'r',
    receiptSha256: 's',
  }
  return { source: 'event', seq: String(seq), type: 'DepositRequested', data, part }
}

function createApproval(): MailPayload {
  const requested = createDeposit('investor')
  const data = { ...requested.data, requestedMinor: '10000', cash: 'cash:x' }
  return { ...requested, type: 'DepositApproved', data }
}

test('administrators are mailed only as the settings say', async () => {
  await saveNotificationSettings({ adminEmail: 'office@rock.test' })
  await deliver(createDeposit('office'))
  expect(sent).toMatchObject([
    {
      to: { address: 'office@rock.test' },
      from: { name: 'Rock & Co' },
      subject: 'A deposit of $100 is waiting',
    },
  ])
  for (const off of [
    { adminEmail: null },
    { adminEmail: 'office@rock.test', depositNotification: false },
    { adminEmail: 'office@rock.test', emailNotifications: false },
  ]) {
    await saveNotificationSettings(off)
    await deliver(createDeposit('office'))
  }
  expect(sent).toHaveLength(1)
})

test('a contact message is mailed to the administrators once', async () => {
  await saveNotificationSettings({ adminEmail: 'office@rock.test' })
  const id = createId(Date.now())
  const message = 'How do I start?\n<b>Thanks</b>'
  await gateway
    .insertInto('platform.contact_message')
    .values({
      id,
      name: 'Bo',
      email: 'bo@x.test',
      message,
      ip: '::1',
      created_at: new Date(),
    })
    .execute()
  await deliver({ source: 'contact', messageId: id })
  await deliver({ source: 'contact', messageId: id })
  expect(sent).toHaveLength(1)
  expect(sent[0]?.html).toContain('&lt;b&gt;Thanks&lt;/b&gt;')
  const row = await gateway
    .selectFrom('platform.contact_message')
    .select('mailed_at')
    .executeTakeFirstOrThrow()
  expect(row.mailed_at).not.toBeNull()
})

test('a mail that an investor switched off is not sent; mails about security and money always are', async () => {
  await gateway
    .insertInto('platform.preference')
    .values({ user_id: USER, content: '{"transactionAlerts":false}', updated_at: new Date() })
    .execute()
  await deliver(createDeposit('investor'))
  expect(sent).toEqual([])
  await deliver(createApproval())
  const mail = { kind: 'password-changed', userId: USER, content: {}, nowMs: Date.now() } as const
  await queueMail(gateway, seal, mail)
  const { id } = await gateway.selectFrom('identity.outbox').select('id').executeTakeFirstOrThrow()
  await deliver({ source: 'outbox', outboxId: id })
  expect(sent.map(({ subject }) => subject)).toEqual([
    'Deposit of $100 approved',
    'Your Rock & Co password was changed',
  ])
  expect(sent[1]?.text).toContain('This was not me: https://cairn.test/users/forgotPassword')
})

test('an edited template replaces the built-in template', async () => {
  const edited = {
    kind: 'deposit-approved',
    subject: 'Arrived: {{amount}}',
    body: '**Thank you**, {{name}}.',
    updated_by: USER,
    updated_at: new Date(),
  }
  await gateway.insertInto('platform.mail_template').values(edited).execute()
  await deliver(createApproval())
  expect(sent[0]).toMatchObject({ subject: 'Arrived: $100' })
  expect(sent[0]?.html).toContain('<strong>Thank you</strong>, Anna.')
})

test('without an address every active administrator who may decide is mailed', async () => {
  await saveNotificationSettings({ adminEmail: null })
  const [one, other, gone, support] = ['admin-one', 'admin-two', 'admin-gone', 'admin-support']
  for (const [id, status, role] of [
    [one, 'active', 'owner'],
    [other, 'active', 'finance'],
    [gone, 'deactivated', 'owner'],
    [support, 'active', 'support'],
  ] as const) {
    const row = createAdminRow({
      id: createId(Date.now()),
      email: `${id}@rock.test`,
      name: id,
      passwordHash: '!',
      nowMs: Date.now(),
    })
    await gateway
      .insertInto('identity.user')
      .values({ ...row, status })
      .execute()
    const roles = [{ role, endsAt: null }]
    await grantRoles(gateway, { userId: row.id, roles, grantedBy: null, nowMs: Date.now() })
  }
  await deliver(createDeposit('office'))
  expect(sent).toHaveLength(1)
  // The order of the recipients is random, because their ids were created in one millisecond.
  const receivers = [`${one}@rock.test`, `${other}@rock.test`]
  expect(sent[0]?.to).toHaveLength(receivers.length)
  expect(sent[0]?.to).toEqual(expect.arrayContaining(receivers))
  await saveNotificationSettings({ adminEmail: null, emailNotifications: false })
  await deliver(createDeposit('office'))
  expect(sent).toHaveLength(1)
})

test('links lead to PUBLIC_URL, whatever the settings and a stored template say', async () => {
  await saveNotificationSettings({}, { siteUrl: 'https://evil.example' })
  const evil = {
    kind: 'password-reset',
    subject: 'Reset',
    body: '[Set]({{siteUrl}}@evil.example{{path}})',
    updated_by: USER,
    updated_at: new Date(),
  }
  await gateway.insertInto('platform.mail_template').values(evil).execute()
  const path = '/users/resetPassword#token=secret'
  const reset = { path, minutes: '30' }
  const nowMs = Date.now()
  await queueMail(gateway, seal, { kind: 'password-reset', userId: USER, content: reset, nowMs })
  const { id } = await gateway
    .selectFrom('identity.outbox')
    .select('id')
    .where('kind', '=', 'password-reset')
    .executeTakeFirstOrThrow()
  await deliver({ source: 'outbox', outboxId: id })
  expect(sent[0]?.text).toContain(`Set a new password: https://cairn.test${path}`)
  expect(`${sent[0]?.text}${sent[0]?.html}`).not.toContain('evil')
})

test('a correction names two administrators only if two have approved it', async () => {
  await saveNotificationSettings({})
  const data = {
    transactionId: USER,
    investorId: USER,
    wallet: 'balance',
    amountMinor: '2000',
    reason: 'x',
  }
  const deliverCorrection = async (requestedBy: string) => {
    const ledger = createFakeLedger()
    // The cast is safe because this mail makes only this query and reads only these properties.
    ledger.ask = async () => ({ transaction: { requestedBy, decidedBy: 'admin:two' } }) as never
    const applied = { ...createDeposit('investor'), type: 'WalletAdjusted' }
    await deliver({ ...applied, data: { ...data, isCredit: true } }, ledger)
  }
  await deliverCorrection('admin:one')
  await deliverCorrection('admin:two')
  expect(sent.map(({ text }) => /\w+ \w+ have|The platform has/.exec(text)?.[0])).toEqual([
    'Two administrators have',
    'The platform has',
  ])
})

test('security events reach every administrator, whatever the settings say', async () => {
  const addAdmin = async (email: string, role: 'auditor' | 'support') => {
    const nowMs = Date.now()
    const id = createId(nowMs)
    const row = createAdminRow({ id, email, name: 'Bo', passwordHash: '-', nowMs })
    await gateway.insertInto('identity.user').values(row).execute()
    const roles = [{ role, endsAt: null }]
    await grantRoles(gateway, { userId: id, roles, grantedBy: null, nowMs })
  }
  await addAdmin('auditor@rock.test', 'auditor')
  await addAdmin('support@rock.test', 'support')
  await saveNotificationSettings({ adminEmail: 'thief@rock.test', emailNotifications: false })
  const entry = {
    actorId: null,
    action: 'cli.unlock',
    subject: null,
    requestId: 'cli',
    details: {},
  } as const
  const auditId = await recordAudit(gateway, { ...entry, ip: 'server' }, Date.now())
  await deliver({ source: 'security', auditId, kind: 'break-glass' })
  await deliver({ source: 'security', auditId, kind: 'break-glass' })
  const startedAt = '2026-11-25T02:00:00.000Z'
  const failed = { source: 'verification', id: 'run', startedAt, count: 1, event: '41' } as const
  await deliver({ ...failed, first: 'gives a different event when it is decided again' })
  expect(sent.map(({ subject }) => subject)).toEqual([
    'Security: command on the server',
    'The verification of the ledger found differences',
  ])
  expect(sent[1]?.text).toContain('event 41: gives a different event when it is decided again')
  for (const { to } of sent) {
    const recipients = JSON.stringify(to)
    expect(recipients).toContain('auditor@rock.test')
    expect(recipients).toContain('support@rock.test')
    expect(recipients).not.toContain('thief@')
  }
})
