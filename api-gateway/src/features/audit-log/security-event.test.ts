import type { AuditRow } from '@cairn/ledger-contracts/proof'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { renderMetrics } from '../../platform/metrics/metrics.ts'
import { findSecurityKind, listWeakenedControls } from './security-event.ts'
import { createSecurityStream, queueSecurityMails } from './security-stream.ts'

function createRow(action: string, given: Partial<AuditRow> = {}): AuditRow {
  return {
    id: 'row',
    recordedAt: '2026-11-24T12:00:00.000Z',
    actorId: 'ada',
    action,
    subject: null,
    ip: '192.0.2.7',
    requestId: 'request',
    result: 'success',
    attemptId: null,
    details: {},
    ...given,
  }
}
const createSettingsRow = (path: string, before: unknown, after: unknown) =>
  createRow('settings.save', { details: { changes: { [path]: { before, after } } } })

test('each row has the kind that the alert rules name', () => {
  const kinds: [AuditRow, string | null][] = [
    [createRow('user.login'), 'login'],
    [createRow('user.login', { result: 'attempted' }), null],
    [createRow('user.login', { result: 'WRONG_CREDENTIALS' }), 'login-failed'],
    [createRow('user.login-mfa', { result: 'MFA_CODE_WRONG' }), 'login-failed'],
    [createRow('user.login', { result: 'LOGIN_DELAYED' }), 'lockout'],
    [createRow('access.refused', { result: 'PERMISSION_MISSING' }), 'access-refused'],
    [createRow('access.refused', { result: 'STEP_UP_REQUIRED' }), 'step-up-required'],
    [createRow('mfa.step-up'), 'step-up'],
    [createRow('mfa.step-up', { result: 'MFA_CODE_WRONG' }), 'step-up-failed'],
    [createRow('transaction.approve', { details: { isReversal: false } }), 'approval'],
    [createRow('transaction.decline', { details: { isReversal: true } }), 'reversal'],
    [createRow('transaction.decline', { details: { isReversal: false } }), 'act'],
    [createRow('user.invite-admin'), 'administrator-added'],
    [createRow('user.set-roles'), 'roles-changed'],
    [createRow('ledger.export-events'), 'export'],
    [createRow('cli.unlock', { actorId: null }), 'break-glass'],
    [createRow('cli.dual-control-single', { result: 'attempted' }), 'break-glass'],
    [createRow('cli.dual-control-single', { attemptId: 'first' }), null],
    [createRow('user.login-mfa', { result: 'MFA_PAUSED' }), 'lockout'],
    [createRow('plan.edit', { result: 'INTERNAL' }), 'act-failed'],
    [createSettingsRow('general.siteName', 'Cairn', 'Other'), 'settings-changed'],
    [createSettingsRow('security.loginAttempts', 5, 50), 'control-weakened'],
    [createRow('user.login-passkey'), 'login'],
    [createRow('passkey.step-up'), 'step-up'],
    [createRow('change.approve'), 'approval'],
    [createRow('change.execute', { details: { kind: 'settings' } }), 'control-weakened'],
    [createRow('change.execute', { details: { kind: 'admin-invitation' } }), 'administrator-added'],
    [createRow('change.execute', { details: { kind: 'reserve-sweep' } }), 'act'],
  ]
  for (const [given, kind] of kinds)
    expect([given.action, findSecurityKind(given)]).toEqual([given.action, kind])
})

test('a change weakens a control in the direction that its setting declares', () => {
  const listWeakenedBy = (path: string, before: unknown, after: unknown) =>
    listWeakenedControls(createSettingsRow(path, before, after).details)
  expect(listWeakenedBy('security.loginAttempts', 5, 50)).toEqual(['security.loginAttempts'])
  expect(listWeakenedBy('security.loginAttempts', 50, 5)).toEqual([])
  expect(listWeakenedBy('security.twoFactorAuth', true, false)).toEqual(['security.twoFactorAuth'])
  expect(listWeakenedBy('security.twoFactorAuth', false, true)).toEqual([])
  expect(listWeakenedBy('security.approvalThreshold', 100, null)).toEqual([
    'security.approvalThreshold',
  ])
  expect(listWeakenedBy('security.approvalThreshold', null, 100)).toEqual([])
  const address = 'notifications.adminEmail'
  expect(listWeakenedBy(address, 'office@a.test', 'office@b.test')).toEqual([address])
  const off = { enabled: false, blockedCountries: ['GB', 'US'] }
  for (const more of [{ enabled: true }, { blockedCountries: ['GB'] }]) {
    const [path, referral] = ['payment.referral', { ...off, ...more }]
    expect(listWeakenedBy(path, off, referral)).toEqual([path])
    expect(listWeakenedBy(path, referral, off)).toEqual([])
  }
})

test('the stream has a line for each row, and the counter counts the events of each row', async () => {
  const lines: Record<string, unknown>[] = []
  const log = pino({ name: 'security' }, { write: (line) => lines.push(JSON.parse(line)) })
  const read = async () =>
    Number(
      /cairn_security_events_total\{kind="login-failed"\} (\d+)/.exec(await renderMetrics())?.[1],
    )
  const stream = createSecurityStream(log)
  const before = await read()
  const flood = { actorId: null, requestId: 'summary', details: { count: 70 } }
  stream([
    createRow('user.login', { result: 'WRONG_CREDENTIALS' }),
    createRow('user.login', { result: 'WRONG_CREDENTIALS', ...flood }),
    createRow('user.login', { result: 'attempted' }),
  ])
  expect(await read()).toBe(before + 71)
  expect(lines).toMatchObject([
    { name: 'security', level: 30, kind: 'login-failed', count: 1, ip: '192.0.2.7' },
    { name: 'security', kind: 'login-failed', count: 70 },
  ])
  // Details are not logged, because they can be long. The audit log contains these details.
  expect(lines[0]).not.toHaveProperty('details')
})

test('a mail is queued for a new administrator, the command line and changed settings only', async () => {
  const queued: unknown[] = []
  const boss = {
    insert: async (_queue: string, jobs: readonly { data?: unknown }[]) => {
      queued.push(...jobs.map(({ data }) => data))
      return null
    },
  }
  await queueSecurityMails(boss, [
    createRow('user.invite-admin', { id: 'one' }),
    createRow('cli.unlock', { id: 'two' }),
    createSettingsRow('security.loginAttempts', 5, 50),
    createRow('user.login'),
    createSettingsRow('general.siteName', 'Cairn', 'Other'),
  ])
  expect(queued).toEqual([
    { source: 'security', auditId: 'one', kind: 'administrator-added' },
    { source: 'security', auditId: 'two', kind: 'break-glass' },
    { source: 'security', auditId: 'row', kind: 'control-weakened' },
    { source: 'security', auditId: 'row', kind: 'settings-changed' },
  ])
})
