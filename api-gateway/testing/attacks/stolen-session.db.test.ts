import { ALL_TRANSACTIONS } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeApprovers } from '../dual-control.ts'
import { expectOk, getId, type Scene, startScene } from '../scene.ts'
import {
  type App,
  type Browser,
  enrolTotp,
  logInNewBrowser,
  readMails,
  setSettings,
} from '../test-browser.ts'
import { openVisit, type Reply, send } from '../test-gateway.ts'

// These tests act as a thief who has the session of an investor, but neither the password nor the
// second factor.

const HOUR_MS = 3_600_000
const NEW_BANK = {
  ...{ bankName: 'Thief Bank', accountNumber: '6666', accountName: 'T', accountType: 'Others' },
}
const GUESS = 'a guessed password'
const NEW_PASSWORD = 'a password of the thief'

interface Theft {
  scene: Scene
  /** The stolen session. */
  thief: Browser
  app: App
  bankId: string
  ownId: string
  /** A pending deposit and a bank account of an investor who is not the victim of the theft. */
  foreignId: string
  foreignBankId: string
}

type Attempt = readonly [
  name: string,
  expected: string,
  /** False if the audit log does not record the refusal. */
  isRecorded: boolean,
  attempt: (at: Theft) => Promise<Reply>,
]

const withdraw = ({ thief }: Theft, bankId: string) =>
  thief.call('POST', '/users/me/transactions', {
    ...{ type: 'withdrawal', amount: 50, pay_option: 'balance', bank_id: bankId },
  })
const createCallAboutForeignUser = (method: string, path: string) => (at: Theft) =>
  at.thief.call(method, path.replace(':id', at.foreignId))

const MONEY: readonly Attempt[] = [
  ['withdraws to the known account', '403 STEP_UP_REQUIRED', true, (at) => withdraw(at, at.bankId)],
  [
    'withdraws to a new account',
    '403 STEP_UP_REQUIRED',
    true,
    async (at) => {
      const added = await expectOk(at.thief.call('POST', '/users/me/banks', NEW_BANK))
      return withdraw(at, getId(added, 'account'))
    },
  ],
  [
    'withdraws to the account of another investor',
    '403 STEP_UP_REQUIRED',
    true,
    (at) => withdraw(at, at.foreignBankId),
  ],
  [
    'closes the account',
    '403 STEP_UP_REQUIRED',
    true,
    ({ thief }) => thief.call('POST', '/users/me/close', { password: GUESS }),
  ],
]

const CREDENTIALS: readonly Attempt[] = [
  [
    'changes the email to an own mailbox, with a guessed password',
    '400 INVALID',
    true,
    async (at) => {
      const code = await requestEmail(at)
      return at.thief.call('POST', '/users/me/email/confirm', { code, password: GUESS })
    },
  ],
  [
    'changes the password with a guess',
    '400 INVALID',
    true,
    ({ thief }) =>
      thief.call('PATCH', '/users/me/password', {
        ...{ currentPassword: GUESS, newPassword: NEW_PASSWORD, passwordConfirm: NEW_PASSWORD },
      }),
  ],
  [
    'switches the factor off with a guess',
    '400 INVALID',
    true,
    ({ thief }) => thief.call('POST', '/users/me/mfa/disable', { password: GUESS, code: '000000' }),
  ],
  [
    'enrols another app',
    '409 MFA_ALREADY_ON',
    true,
    ({ thief }) => thief.call('POST', '/users/me/mfa/setup'),
  ],
  [
    'renews the recovery codes with a guess',
    '400 INVALID',
    true,
    ({ thief }) =>
      thief.call('POST', '/users/me/mfa/recovery_codes', { password: GUESS, code: '000000' }),
  ],
  [
    'adds a passkey',
    '403 STEP_UP_REQUIRED',
    true,
    ({ thief }) => thief.call('POST', '/users/me/passkeys/options', {}),
  ],
  [
    'adds a passkey with a guessed password',
    '400 INVALID',
    true,
    ({ thief }) => thief.call('POST', '/users/me/passkeys/options', { password: GUESS }),
  ],
]

const OTHERS: readonly Attempt[] = [
  [
    'reads a foreign transaction',
    '404 NOT_FOUND',
    false,
    createCallAboutForeignUser('GET', '/transactions/:id'),
  ],
  [
    'reads a foreign receipt',
    '404 NOT_FOUND',
    false,
    createCallAboutForeignUser('GET', '/transactions/:id/receipt'),
  ],
  [
    'reads a foreign proof',
    '404 NOT_FOUND',
    false,
    createCallAboutForeignUser('GET', '/transactions/:id/proof'),
  ],
  [
    'cancels a foreign request',
    '404 NOT_FOUND',
    true,
    createCallAboutForeignUser('POST', '/users/me/transactions/:id/cancel'),
  ],
  [
    'approves the own deposit',
    '403 NOT_ALLOWED',
    true,
    ({ thief, ownId }) => thief.call('PATCH', `/transactions/${ownId}/action/approve`),
  ],
  [
    'makes itself an administrator',
    '400 INVALID',
    false,
    ({ thief }) => thief.call('PUT', '/users/update-profile', { name: 'A', role: 'admin' }),
  ],
  [
    'switches a mail about security off',
    '400 INVALID',
    false,
    ({ thief }) => thief.call('PUT', '/users/me/preferences', { security: false }),
  ],
  [
    'lists the administrators',
    '403 NOT_ALLOWED',
    true,
    ({ thief }) => thief.call('GET', '/admin/roles'),
  ],
  [
    'removes the bank account of another investor',
    '404 NOT_FOUND',
    true,
    ({ thief, foreignBankId }) => thief.call('DELETE', `/users/me/banks/${foreignBankId}`),
  ],
]

async function prepareTheft(): Promise<Theft> {
  const scene = await startScene()
  const { gateway, admin, second, investor, stranger } = scene
  await makeApprovers(gateway, [admin.userId, second.userId])
  // Test gateways have the settings of the demo. These settings have no waiting period.
  await setSettings(gateway, { security: { bankCoolingHours: 24 } })
  const thief = await logInNewBrowser(gateway, `${investor.userId}@example.com`)
  const app = await enrolTotp(gateway, thief)
  const bank = { ...NEW_BANK, accountNumber: '1234' }
  const added = await expectOk(thief.call('POST', '/users/me/banks', bank))
  const used = { usable_from: new Date(0), confirmed_at: new Date(0) }
  await gateway.db.updateTable('platform.bank_account').set(used).execute()
  await gateway.moveAllClocks(25 * HOUR_MS)
  const foreign = scene.call(stranger, 'POST', '/users/me/banks', bank)
  return {
    ...{ scene, thief, app, bankId: getId(added, 'account') },
    // The enrolment ended the earlier sessions of the investor, so the deposit needs a new session.
    ownId: await scene.deposit(await openVisit(gateway, investor.userId), '100.00'),
    foreignId: await scene.deposit(stranger, '200.00'),
    foreignBankId: getId(await expectOk(foreign), 'account'),
  }
}

/**
 * Changes the email to an address of the thief. Returns the code that is mailed to this address.
 */
async function requestEmail({ scene, thief }: Theft): Promise<string> {
  const { user } = await expectOk<{ user: Record<string, unknown> }>(thief.call('GET', '/users/me'))
  const { name, country, phone } = user
  const form = { name, country, phone, email: 'thief@example.com' }
  const saving = await thief.call('PUT', '/users/update-profile', form)
  if (saving.status !== 200) throw new Error(JSON.stringify(saving.body))
  const mails = await readMails(scene.gateway, scene.investor.userId)
  return mails.find(({ content }) => content.code !== undefined)?.content.code ?? ''
}

const formatReply = ({ status, body }: Reply) => `${status} ${body.code ?? ''}`.trim()

/**
 * Makes the attempts. Returns the attempts with an unexpected answer, and the attempts that the
 * audit log lacks.
 */
async function attack(at: Theft, attempts: readonly Attempt[]) {
  const unexpected: string[] = []
  const unrecorded: string[] = []
  for (const [name, expected, isRecorded, attempt] of attempts) {
    const reply = await attempt(at)
    if (formatReply(reply) !== expected) unexpected.push(`${name}: ${formatReply(reply)}`)
    const rows = await at.scene.gateway.db
      .selectFrom('platform.audit')
      .select('result')
      .where('request_id', '=', reply.headers.get('x-request-id') ?? '')
      .where('actor_id', '=', at.scene.investor.userId)
      .execute()
    const hasRow = rows.some(({ result }) => result === reply.body.code)
    if (isRecorded && !hasRow) unrecorded.push(name)
  }
  return { unexpected, unrecorded }
}

/** Returns the data that the thief wants to change. */
async function readVictimData({ scene, foreignId }: Theft) {
  const { db, ledger } = scene.gateway
  const { userId } = scene.investor
  const user = await db
    .selectFrom('identity.user')
    .select(['email', 'password_hash', 'mfa_enabled_at', 'role', 'status'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const passkeys = await db
    .selectFrom('identity.passkey_handle')
    .select('user_id')
    .where('user_id', '=', userId)
    .execute()
  const { transactions } = await ledger.ask('transactions', {
    ...ALL_TRANSACTIONS,
    investorIds: [userId],
    limit: 50,
    type: 'withdrawal',
  })
  const { transaction } = await ledger.ask('transaction', { transactionId: foreignId })
  return { user, passkeys, withdrawals: transactions, foreign: transaction?.status }
}

const NOTHING = { unexpected: [], unrecorded: [] }

describe("a thief with an investor's session, without password and factor", () => {
  let at: Theft
  beforeAll(async () => {
    at = await prepareTheft()
  })
  afterAll(() => at?.scene.gateway.stop())

  test.each(Object.entries({ money: MONEY, credentials: CREDENTIALS, others: OTHERS }))(
    'reaches nothing, and every try is recorded: %s',
    async (_group, attempts) => {
      const before = await readVictimData(at)
      expect(await attack(at, attempts)).toEqual(NOTHING)
      expect(await readVictimData(at)).toEqual(before)
    },
  )

  test('repeats a key of the owner: the same answer, or a refusal of other content', async () => {
    const { scene, thief } = at
    const { planId: plan, stranger, gateway } = scene
    const request = { method: 'POST', path: '/users/me/investments' }
    const headers = { 'idempotency-key': 'key-of-the-owner' }
    const owner = await openVisit(gateway, scene.investor.userId)
    const invest = { ...request, headers, body: { plan, amount: 60 } }
    const made = getId(await expectOk(send(gateway, owner, invest)), 'investment')
    const repeat = (amount: number) =>
      thief.call('POST', '/users/me/investments', { plan, amount }, headers)
    expect(getId(await expectOk(repeat(60)), 'investment')).toBe(made)
    expect(formatReply(await repeat(70))).toBe('422 KEY_REUSED')
    // An idempotency key belongs to one person, so the stranger does not get the response that is
    // stored for the owner.
    expect(formatReply(await send(gateway, stranger, invest))).toBe('422 INSUFFICIENT_FUNDS')
  })

  test('cannot withdraw to a new account, even with the factor for a moment', async () => {
    const { thief, app, scene } = at
    await scene.gateway.moveAllClocks(HOUR_MS)
    await expectOk(thief.call('POST', '/users/me/step_up', { code: app.getCode() }))
    const bank = { ...NEW_BANK, accountNumber: '7777' }
    const added = await expectOk(thief.call('POST', '/users/me/banks', bank))
    expect(formatReply(await withdraw(at, getId(added, 'account')))).toBe(
      '422 BANK_ACCOUNT_NOT_USABLE',
    )
  })
})

test('sabotaged twin: a session whose factor was just used withdraws', async () => {
  const at = await prepareTheft()
  try {
    await expectOk(at.thief.call('POST', '/users/me/step_up', { code: at.app.getCode() }))
    const { unexpected } = await attack(at, MONEY.slice(0, 1))
    expect(unexpected).toEqual(['withdraws to the known account: 201'])
  } finally {
    await at.scene.gateway.stop()
  }
})
