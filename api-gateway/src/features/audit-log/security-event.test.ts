import type { AuditRow } from '@cairn/ledger-contracts/proof'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { renderMetrics } from '../../platform/metrics/metrics.ts'
import { findSecurityKind, listWeakened } from './security-event.ts'
import { createSecurityStream, queueSecurityMails } from './security-stream.ts'

function row(action: string, given: Partial<AuditRow> = {}): AuditRow {
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
const change = (path: string, before: unknown, after: unknown) =>
  row('settings.save', { details: { changes: { [path]: { before, after } } } })

test('each row has the kind that the alert rules name', () => {
  const kinds: [AuditRow, string | null][] = [
    [row('user.login'), 'login'],
    [row('user.login', { result: 'attempted' }), null],
    [row('user.login', { result: 'WRONG_CREDENTIALS' }), 'login-failed'],
    [row('user.login-mfa', { result: 'MFA_CODE_WRONG' }), 'login-failed'],
    [row('user.login', { result: 'LOGIN_DELAYED' }), 'lockout'],
    [row('access.refused', { result: 'PERMISSION_MISSING' }), 'access-refused'],
    [row('access.refused', { result: 'STEP_UP_REQUIRED' }), 'step-up-required'],
    [row('mfa.step-up'), 'step-up'],
    [row('mfa.step-up', { result: 'MFA_CODE_WRONG' }), 'step-up-failed'],
    [row('transaction.approve', { details: { isReversal: false } }), 'approval'],
    [row('transaction.decline', { details: { isReversal: true } }), 'reversal'],
    [row('transaction.decline', { details: { isReversal: false } }), 'act'],
    [row('user.invite-admin'), 'administrator-added'],
    [row('user.set-roles'), 'roles-changed'],
    [row('ledger.export-events'), 'export'],
    [row('cli.unlock', { actorId: null }), 'break-glass'],
    [row('cli.dual-control-single', { result: 'attempted' }), 'break-glass'],
    [row('cli.dual-control-single', { attemptId: 'first' }), null],
    [row('user.login-mfa', { result: 'MFA_PAUSED' }), 'lockout'],
    [row('plan.edit', { result: 'INTERNAL' }), 'act-failed'],
    [change('general.siteName', 'Cairn', 'Other'), 'settings-changed'],
    [change('security.loginAttempts', 5, 50), 'control-weakened'],
    [row('user.login-passkey'), 'login'],
    [row('passkey.step-up'), 'step-up'],
    [row('change.approve'), 'approval'],
    [row('change.execute', { details: { kind: 'settings' } }), 'control-weakened'],
    [row('change.execute', { details: { kind: 'admin-invitation' } }), 'administrator-added'],
    [row('change.execute', { details: { kind: 'reserve-sweep' } }), 'act'],
  ]
  for (const [given, kind] of kinds)
    expect([given.action, findSecurityKind(given)]).toEqual([given.action, kind])
})

test('a change weakens a control in the direction that its setting declares', () => {
  const weakened = (path: string, before: unknown, after: unknown) =>
    listWeakened(change(path, before, after).details)
  expect(weakened('security.loginAttempts', 5, 50)).toEqual(['security.loginAttempts'])
  expect(weakened('security.loginAttempts', 50, 5)).toEqual([])
  expect(weakened('security.twoFactorAuth', true, false)).toEqual(['security.twoFactorAuth'])
  expect(weakened('security.twoFactorAuth', false, true)).toEqual([])
  expect(weakened('security.approvalThreshold', 100, null)).toEqual(['security.approvalThreshold'])
  expect(weakened('security.approvalThreshold', null, 100)).toEqual([])
})

test('the stream has a line for each row, and the counter counts what a row stands for', async () => {
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
    row('user.login', { result: 'WRONG_CREDENTIALS' }),
    row('user.login', { result: 'WRONG_CREDENTIALS', ...flood }),
    row('user.login', { result: 'attempted' }),
  ])
  expect(await read()).toBe(before + 71)
  expect(lines).toMatchObject([
    { name: 'security', level: 30, kind: 'login-failed', count: 1, ip: '192.0.2.7' },
    { name: 'security', kind: 'login-failed', count: 70 },
  ])
  // Details can be long; the audit log has them.
  expect(lines[0]).not.toHaveProperty('details')
})

test('a mail is queued for a new administrator, the command line and a weaker control only', async () => {
  const queued: unknown[] = []
  const boss = {
    insert: async (_queue: string, jobs: readonly { data?: unknown }[]) => {
      queued.push(...jobs.map(({ data }) => data))
      return null
    },
  }
  await queueSecurityMails(boss, [
    row('user.invite-admin', { id: 'one' }),
    row('cli.unlock', { id: 'two' }),
    change('security.loginAttempts', 5, 50),
    row('user.login'),
    change('general.siteName', 'Cairn', 'Other'),
  ])
  expect(queued).toEqual([
    { source: 'security', auditId: 'one', kind: 'administrator-added' },
    { source: 'security', auditId: 'two', kind: 'break-glass' },
    { source: 'security', auditId: 'row', kind: 'control-weakened' },
  ])
})
