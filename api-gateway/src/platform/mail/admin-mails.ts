import type { MailKind } from './mail-kind.ts'

const DECIDE_BUTTON = '[Decide]({{siteUrl}}/manage/admin/transactions?transaction={{transaction}})'

/**
 * Mails to administrators and auditors. The settings decide whether these mails are sent, and to
 * which addresses.
 */
export const ADMIN_MAILS = {
  'admin-new-user': {
    title: 'To administrators: new user',
    subject: 'New user: {{person}}',
    body: 'A new user has registered and verified the email address.\n\n- Name: {{person}}\n- Email: {{email}}\n\n[View users]({{siteUrl}}/manage/admin/users)',
    samples: { person: 'Ada Example', email: 'ada@example.com' },
  },
  'admin-deposit': {
    title: 'To administrators: deposit to decide',
    subject: 'A deposit of {{amount}} is waiting',
    body: `A deposit is waiting for a decision.\n\n- Amount: {{amount}}\n- From: {{person}}\n\n${DECIDE_BUTTON}`,
    samples: { amount: '$250', person: 'Ada Example', transaction: '0123456789abcdefghjk' },
  },
  'admin-withdrawal': {
    title: 'To administrators: withdrawal to decide',
    subject: 'A withdrawal of {{amount}} is waiting',
    body: `A withdrawal is waiting for a decision. Approve it only after it has been paid.\n\n- Amount: {{amount}}\n- From: {{person}}\n\n${DECIDE_BUTTON}`,
    samples: { amount: '$250', person: 'Ada Example', transaction: '0123456789abcdefghjk' },
  },
  'contact-message': {
    title: 'To administrators: contact form',
    subject: 'Message from {{person}}',
    body: '- Name: {{person}}\n- Email: {{email}}\n\n{{message}}\n\n[Open the messages]({{siteUrl}}/manage/admin/messages)',
    samples: { person: 'Ada Example', email: 'ada@example.com', message: 'How do I start?' },
    required: ['message'],
  },
  'change-requested': {
    title: 'To administrators: a change waits for approval',
    subject: 'Waiting for your approval: {{change}}',
    body:
      '{{person}} asks for a change that needs a second administrator. Nothing has changed yet.\n\n' +
      '- Change: {{change}}\n- Reason: {{reason}}\n\n[Open the request]({{siteUrl}}/manage/admin/approvals?request={{request}})',
    samples: {
      person: 'Ada Example',
      change: 'Settings: Second approval from this amount',
      reason: 'The limit was set by mistake',
      request: '0123456789abcdefghjk',
    },
  },
  'admin-suspended': {
    title: 'To administrators: administrator suspended',
    subject: '{{person}} was suspended on the server',
    body:
      'An administrator was suspended by a command on the server. Their sessions were ended, and changes that they proposed or approved can no longer be carried out.\n\n' +
      '- Administrator: {{person}}\n- Email: {{email}}\n\n[Open the approvals]({{siteUrl}}/manage/admin/approvals)',
    samples: { person: 'Ada Example', email: 'ada@example.com' },
  },
  'jobs-given-up': {
    title: 'To administrators: failed jobs',
    subject: 'Failed jobs: {{job}}',
    body:
      'Background jobs failed in all retries. They will not run again until an administrator retries them.\n\n' +
      '- Queue: {{job}}\n- Failed jobs: {{count}}\n- Day: {{day}}\n\n[Open the jobs]({{siteUrl}}/manage/admin/jobs)',
    samples: { job: 'mail.send', count: '3', day: '2026-11-21' },
  },
  'security-event': {
    title: 'To administrators: security event',
    subject: 'Security: {{event}}',
    body:
      'This was recorded in the audit log. If no one in your team intended it, act now.\n\n' +
      '- Event: {{event}}\n- Action: {{action}}\n- By: {{person}}\n- From: {{ip}}\n- Time: {{at}}\n\n' +
      '[Open the audit log]({{siteUrl}}/manage/admin/audit)',
    samples: {
      event: 'new administrator',
      action: 'user.invite-admin',
      person: 'Ada Example',
      ip: '192.0.2.7',
      at: '2026-11-24 12:00 UTC',
    },
  },
  'verification-failed': {
    title: 'To administrators: verification failed',
    subject: 'The verification of the ledger found differences',
    body:
      'The stored ledger differs from its events and signatures, or the verification could not be completed. ' +
      'Someone may have changed the database. Investigate immediately, and do not change the database, its logs or the copies of checkpoints.\n\n' +
      '- Started: {{at}}\n- Problems: {{count}}\n- First problem: {{first}}\n\n' +
      '[Open the verifications]({{siteUrl}}/manage/admin/checkpoints)',
    samples: {
      at: '2026-11-25 02:00 UTC',
      count: '1',
      first: 'event 41: the leaf hash is not the hash of the bytes',
    },
    required: ['first'],
  },
  'month-end': {
    title: 'To auditors: monthly trial balance',
    subject: '{{siteName}}: signed trial balance of {{month}}',
    body:
      'The month has ended and its trial balance is signed. The signed trial balance and the newest signed checkpoint are attached; ' +
      'store them where {{siteName}} has no write access.\n\n- Month: {{month}}\n- Events: {{events}}\n\n' +
      '[Verify a receipt]({{siteUrl}}/verify)',
    samples: { month: '2026-10', events: '48211' },
  },
} as const satisfies Record<string, MailKind>
