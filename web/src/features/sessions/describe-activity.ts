import type { AuditAction } from '@cairn/gateway-contracts'

const WORDS: Partial<Record<AuditAction, string>> = {
  'user.sign-up': 'Account created',
  'user.verify-email': 'Email confirmed',
  'user.login': 'Logged in',
  'user.login-mfa': 'Second factor checked',
  'user.login-passkey': 'Logged in with a passkey',
  'user.forgot-password': 'Password reset link requested',
  'user.reset-password': 'Password set with a link',
  'user.change-password': 'Password changed',
  'user.change-email': 'New email confirmed',
  'user.update-profile': 'Profile changed',
  'user.photo': 'Photo changed',
  'user.end-session': 'A session ended',
  'user.end-sessions': 'Other sessions ended',
  'user.download-data': 'Data downloaded',
  'mfa.set-up': 'Two-factor setup started',
  'mfa.on': 'Two-factor authentication turned on',
  'mfa.off': 'Two-factor authentication turned off',
  'mfa.renew-recovery-codes': 'Recovery codes renewed',
  'mfa.step-up': 'Second factor confirmed',
  'passkey.begin': 'Passkey setup started',
  'passkey.add': 'Passkey added',
  'passkey.rename': 'Passkey renamed',
  'passkey.remove': 'Passkey removed',
  'passkey.step-up': 'Passkey confirmed',
  'bank-account.add': 'Bank account added',
  'bank-account.confirm': 'Bank account confirmed',
  'bank-account.remove': 'Bank account removed',
  'change.propose': 'Change sent for approval',
  'change.approve': 'Change approved',
  'change.reject': 'Change rejected',
  'change.withdraw': 'Change withdrawn',
  'change.execute': 'Approved change carried out',
  'change.fail': 'Approved change failed',
  'transaction.approve': 'Transaction approved',
  'transaction.decline': 'Transaction declined',
  'transaction.request': 'Deposit or withdrawal requested',
  'transaction.cancel': 'Request cancelled',
  'transaction.export': 'Transactions exported',
  'investment.open': 'Investment opened',
  'investment.cancel': 'Investment cancelled',
  'investment.export': 'Investments exported',
  'preferences.change': 'Preferences saved',
}

const REFUSED: Partial<Record<AuditAction, string>> = {
  'user.login': 'Login refused',
  'user.login-mfa': 'Second factor refused',
  'access.refused': 'Access refused',
}

/** Describes an audited action for the owner of the account. */
export function describeActivity({ action, result }: { action: string; result: string }): string {
  if (result !== 'success') {
    const words = describeActivity({ action, result: 'success' })
    if (result === 'attempted') return `${words} (no result recorded)`
    return find(REFUSED, action) ?? `Refused: ${words}`
  }
  const known = find(WORDS, action)
  if (known !== undefined) return known
  const plain = action.replaceAll('.', ': ').replaceAll('-', ' ')
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`
}

function find(words: Readonly<Record<string, string>>, action: string): string | undefined {
  return words[action]
}
