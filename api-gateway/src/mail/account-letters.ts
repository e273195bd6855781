import { SITE_NAME } from '../settings/site.ts'
import type { Letter } from './letter.ts'
import type { OutboxKind } from './outbox.ts'

type Content = Readonly<Record<string, string>>
type WriteLetter = (content: Content) => Letter

const NOT_YOU = 'If this was not you, set a new password at once and write to us.'
const SECURITY = { label: 'Open your security settings', path: '/manage/investor/settings' }

/** What a person is told about the account itself; none of it can be switched off. */
export const ACCOUNT_LETTERS: Readonly<Record<OutboxKind, WriteLetter>> = {
  'verification-code': ({ code = '', minutes = '' }) => ({
    subject: `Your ${SITE_NAME} verification code`,
    paragraphs: [
      `Enter this code to verify your e-mail address. It is valid for ${minutes} minutes.`,
    ],
    code,
    facts: [['If this was not you', 'ignore this mail; nothing happens without the code']],
  }),
  'password-reset': ({ path = '', minutes = '' }) => ({
    subject: `Set a new ${SITE_NAME} password`,
    paragraphs: [
      `With this link you can set a new password. It works once, within ${minutes} minutes.`,
      'If you did not ask for it, ignore this mail: your password stays as it is.',
    ],
    link: { label: 'Set a new password', path },
  }),
  'bank-code': ({ code = '', minutes = '', bankName = '' }) => ({
    subject: 'Confirm your new bank account',
    paragraphs: [
      `Enter this code to be able to withdraw to your account at ${bankName}. It is valid for ${minutes} minutes.`,
      NOT_YOU,
    ],
    code,
  }),
  'password-changed': () => ({
    subject: `Your ${SITE_NAME} password was changed`,
    paragraphs: [
      'Your password was changed and your other sessions were ended. Withdrawals are paused for a while.',
      NOT_YOU,
    ],
    link: SECURITY,
  }),
  'password-expiring': ({ days = '' }) => ({
    subject: `Your ${SITE_NAME} password expires in ${days} days`,
    paragraphs: [
      `In ${days} days you will be asked for a new password when you log in. Your balance is not affected.`,
      'With two-factor authentication your password does not expire.',
    ],
    link: SECURITY,
  }),
  'email-change-code': ({ code = '', minutes = '' }) => ({
    subject: `Confirm your new ${SITE_NAME} e-mail address`,
    paragraphs: [
      `Enter this code, together with your password, to use this address. It is valid for ${minutes} minutes.`,
      'If this was not you, ignore this mail; nothing happens without the code.',
    ],
    code,
  }),
  'email-changed': ({ email = '' }) => ({
    subject: `Your ${SITE_NAME} e-mail address was changed`,
    paragraphs: [
      `Your account now uses ${email}. This address is not used any more. Withdrawals are paused for a while.`,
      'If this was not you, write to us at once.',
    ],
  }),
  'mfa-on': () => ({
    subject: 'Two-factor authentication is on',
    paragraphs: [
      'From now on a login needs a code of your app. Keep your recovery codes safe.',
      NOT_YOU,
    ],
    link: SECURITY,
  }),
  'mfa-off': () => ({
    subject: 'Two-factor authentication is off',
    paragraphs: [
      'From now on your password alone opens your account. Withdrawals are paused for a while.',
      NOT_YOU,
    ],
    link: SECURITY,
  }),
  'new-login': ({ ip = '', browser = '' }) => ({
    subject: `New login to ${SITE_NAME}`,
    paragraphs: ['Your account was opened from a browser that we had not seen before.', NOT_YOU],
    facts: [
      ['Address', ip],
      ['Browser', browser],
    ],
    link: SECURITY,
  }),
  lockout: ({ ip = '' }) => ({
    subject: `Failed logins to ${SITE_NAME}`,
    paragraphs: [
      'Somebody entered a wrong password for your account several times. Further tries now have to wait.',
      'A browser in which you have logged in before is not affected. If this was you, wait a moment or set a new password.',
    ],
    facts: [['Address of the last try', ip]],
    link: { label: 'Set a new password', path: '/users/forgotPassword' },
  }),
}

export function isOutboxKind(kind: string): kind is OutboxKind {
  return kind in ACCOUNT_LETTERS
}
