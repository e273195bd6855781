import { type MailKind, NOT_YOU } from './mail-kind.ts'

const minutes = '10'
const code = '0427'
const ip = '203.0.113.7'
const bank = { bankName: 'First Example Bank', accountNumber: '•••• 4821' }
const BANK = '- Bank: {{bankName}}\n- Account: {{accountNumber}}'
const SECURITY = '[Open your security settings]({{siteUrl}}/manage/investor/settings)'

/** Mails about the account. A user can switch off only the welcome mail. */
export const ACCOUNT_MAILS = {
  'verification-code': {
    title: 'Code that verifies a mailbox',
    subject: 'Your {{siteName}} verification code',
    body:
      'Enter this code to verify your email address. It is valid for {{minutes}} minutes.\n\n' +
      '# {{code}}\n\nIf you did not request this code, ignore this mail: nothing happens without the code.',
    samples: { code, minutes },
    required: ['code'],
  },
  'password-reset': {
    title: 'Link that sets a new password',
    subject: 'Set a new {{siteName}} password',
    body:
      'With this link you can set a new password. It works once, within {{minutes}} minutes.\n\n' +
      'If you did not ask for a new password, ignore this mail: your password is not changed.',
    samples: { minutes: '30' },
    link: { label: 'Set a new password', samplePath: '/users/resetPassword#token=sample' },
  },
  'admin-invited': {
    title: 'Invitation of an administrator',
    subject: 'You are an administrator of {{siteName}}',
    body:
      'You were invited to run {{siteName}} as an administrator. Set your password with this link. The link can be used once, within a day.\n\n' +
      'If you did not expect this invitation, ignore this mail: the account cannot be used without the link.',
    samples: {},
    link: { label: 'Set a password', samplePath: '/users/resetPassword#token=sample' },
  },
  'bank-code': {
    title: 'Code that confirms a bank account',
    subject: 'Confirm your new bank account',
    body:
      'Enter this code to be able to withdraw to your account at {{bankName}}. ' +
      `It is valid for {{minutes}} minutes.\n\n# {{code}}\n\n${NOT_YOU}`,
    samples: { code, minutes, bankName: 'First Example Bank' },
    required: ['code'],
  },
  'bank-confirmed': {
    title: 'Bank account confirmed',
    subject: 'A bank account was added to your account',
    body: `Withdrawals can be paid to this bank account.\n\n${BANK}\n- Usable from: {{usableFrom}}\n\n${NOT_YOU}`,
    samples: { ...bank, usableFrom: '2026-11-26 10:30 UTC' },
  },
  'bank-removed': {
    title: 'Bank account removed',
    subject: 'A bank account was removed from your account',
    body: `Withdrawals can no longer be paid to this bank account.\n\n${BANK}\n\n${NOT_YOU}`,
    samples: bank,
  },
  'bank-default': {
    title: 'Default bank account changed',
    subject: 'Your default bank account was changed',
    body: `This bank account is now preselected for withdrawals.\n\n${BANK}\n\n${NOT_YOU}`,
    samples: bank,
  },
  'password-changed': {
    title: 'Password changed',
    subject: 'Your {{siteName}} password was changed',
    body: `Your password was changed and your other sessions were ended. Withdrawals are paused for a while.\n\n${NOT_YOU}`,
    samples: {},
  },
  'password-expiring': {
    title: 'Password expires',
    subject: 'Your {{siteName}} password expires in {{days}} days',
    body:
      'In {{days}} days you will be asked for a new password when you log in. Your balance is not affected.\n\n' +
      `With two-factor authentication your password does not expire.\n\n${SECURITY}`,
    samples: { days: '14' },
  },
  'email-change-code': {
    title: 'Code that confirms a new email address',
    subject: 'Confirm your new {{siteName}} email address',
    body:
      'Enter this code, together with your password, to use this address. It is valid for {{minutes}} minutes.\n\n' +
      '# {{code}}\n\nIf you did not request this code, ignore this mail: nothing happens without the code.',
    samples: { code, minutes },
    required: ['code'],
  },
  'email-in-use': {
    title: 'Address entered in another account',
    subject: 'Your address was entered in another {{siteName}} account',
    body:
      'A user entered this email address as the new address of another account. Nothing has changed: an address can belong to only one account.\n\n' +
      'If this was you, log in with this address, or close this account first.',
    samples: {},
  },
  'name-reviewed': {
    title: 'New name reviewed',
    subject: 'Your new name was {{outcome}}',
    body:
      'An administrator has reviewed the new name for your account. The name was {{outcome}}.\n\n' +
      `- New name: {{newName}}\n\n${NOT_YOU}`,
    samples: { newName: 'Ada Sample', outcome: 'accepted' },
  },
  'email-changed': {
    title: 'Email address changed',
    subject: 'Your {{siteName}} email address was changed',
    body:
      'Your account now uses {{email}}. This address is not used any more. Withdrawals are paused for a while.\n\n' +
      'If this was not you, write to us at once.\n\n[This was not me]({{siteUrl}}/contact_us)',
    samples: { email: 'new@example.com' },
  },
  'mfa-on': {
    title: 'Two-factor authentication on',
    subject: 'Two-factor authentication is on',
    body: `Each login now needs a code from your app. Keep your recovery codes safe.\n\n${NOT_YOU}`,
    samples: {},
  },
  'mfa-off': {
    title: 'Two-factor authentication off',
    subject: 'Two-factor authentication is off',
    body: `You can now log in with your password alone. Withdrawals are paused for a while.\n\n${NOT_YOU}`,
    samples: {},
  },
  'mfa-paused': {
    title: 'Second factor paused',
    subject: 'Wrong codes were entered for your {{siteName}} account',
    body: `A wrong code was entered for your account ten times today. {{method}} are not accepted until {{day}} (UTC). Your other second factors still work.\n\nIf you did not enter these codes, another person knows your password.\n\n${NOT_YOU}`,
    samples: { method: 'Codes from your app', day: '2026-10-02' },
  },
  'recovery-codes-renewed': {
    title: 'Recovery codes renewed',
    subject: 'Your {{siteName}} recovery codes were replaced',
    body: `New recovery codes were created for your account. The earlier codes no longer work. Withdrawals are paused for a while.\n\n${NOT_YOU}`,
    samples: {},
  },
  'passkey-added': {
    title: 'Passkey added',
    subject: 'A passkey was added to your {{siteName}} account',
    body: `The passkey "{{passkey}}" can now be used to log in to your account. Your other sessions were ended. Withdrawals are paused for a while.\n\n${NOT_YOU}`,
    samples: { passkey: 'Laptop' },
  },
  'passkey-removed': {
    title: 'Passkey removed',
    subject: 'A passkey was removed from your {{siteName}} account',
    body: `The passkey "{{passkey}}" can no longer be used to log in to your account. Withdrawals are paused for a while.\n\n${NOT_YOU}`,
    samples: { passkey: 'Laptop' },
  },
  'new-login': {
    title: 'Login from a new browser',
    subject: 'New login to {{siteName}}',
    body: `Someone logged in to your account from a browser that we have not seen before.\n\n- Address: {{ip}}\n- Browser: {{browser}}\n\n${NOT_YOU}`,
    samples: { ip, browser: 'Firefox on Linux' },
  },
  'account-closed': {
    title: 'Account closed',
    subject: 'Your {{siteName}} account is closed',
    body:
      'You closed your account. Your profile, your bank accounts and your sessions are erased; ledger records remain without your name.\n\n' +
      'This is the last email to this address. If this was not you, write to us at once.\n\n[This was not me]({{siteUrl}}/contact_us)',
    samples: {},
  },
  lockout: {
    title: 'Failed logins',
    subject: 'Failed logins to {{siteName}}',
    body:
      'A wrong password was entered for your account several times. Further attempts are delayed.\n\n' +
      'A browser in which you have logged in before is not affected. If this was you, wait a moment or set a new password.\n\n' +
      '- Address of the last attempt: {{ip}}\n\n[Set a new password]({{siteUrl}}/users/forgotPassword)',
    samples: { ip },
  },
  welcome: {
    title: 'Account active',
    subject: 'Welcome to {{siteName}}',
    body:
      'Your account is active: you can deposit, invest and withdraw.\n\n' +
      'Every amount in your wallet is the sum of postings in the signed ledger of {{siteName}}, and you can verify each receipt yourself.\n\n' +
      '[Open your dashboard]({{siteUrl}}/manage/investor/dashboard)',
    samples: {},
    preference: 'accountActivity',
  },
} as const satisfies Record<string, MailKind>
