import { formatMoney } from '../../shared/money/money.ts'
import { describeAction } from './describe-action.ts'
import type { AuditEntry } from './queries.ts'

type Verb = readonly [base: string, past: string]

const VERBS: Readonly<Record<string, Verb>> = {
  add: ['add', 'added'],
  approve: ['approve', 'approved'],
  archive: ['archive', 'archived'],
  cancel: ['cancel', 'cancelled'],
  confirm: ['confirm', 'confirmed'],
  create: ['create', 'created'],
  decline: ['decline', 'declined'],
  delete: ['delete', 'deleted'],
  deny: ['deny', 'denied'],
  edit: ['change', 'changed'],
  execute: ['carry out', 'carried out'],
  export: ['export', 'exported'],
  fund: ['fund', 'funded'],
  import: ['import', 'imported'],
  match: ['match', 'matched'],
  open: ['open', 'opened'],
  propose: ['propose', 'proposed'],
  reject: ['reject', 'rejected'],
  remove: ['remove', 'removed'],
  rename: ['rename', 'renamed'],
  request: ['request', 'requested'],
  reset: ['reset', 'reset'],
  retry: ['retry', 'retried'],
  state: ['change', 'changed'],
  unmatch: ['remove', 'removed'],
  withdraw: ['withdraw', 'withdrew'],
}

/** The objects of actions whose entries do not name an object. */
const OBJECTS: Readonly<Record<string, string>> = {
  adjustment: 'an adjustment of a wallet',
  approval: 'a change request',
  attestation: 'an attestation of assets',
  'bank-account': 'a bank account',
  'bank-line': 'a line of a bank statement',
  'bank-statement': 'a bank statement',
  change: 'a change request',
  claim: 'a claim on the site',
  endorsement: 'a testimonial or sponsor',
  faq: 'a question in the FAQ',
  investment: 'an investment',
  jobs: 'failed jobs',
  passkey: 'a passkey',
  'payment-option': 'a payment option',
  plan: 'a plan',
  reserve: 'the reserve',
  template: 'an email template',
  transaction: 'a transaction',
  wallet: 'a wallet',
}

/** Actions whose verb and object do not follow from the two parts of their name. */
const PHRASES: Readonly<Record<string, Verb>> = {
  'access.refused': ['open a page without permission', 'opened a page without permission'],
  'bank-account.default': ['change the default bank account', 'changed the default bank account'],
  'bank-line.unmatch': ['remove the match of a bank line', 'removed the match of a bank line'],
  'contact.answered': ['mark a message as answered', 'marked a message as answered'],
  'ledger.verify': ['verify the ledger', 'verified the ledger'],
  'mfa.off': ['turn two-factor authentication off', 'turned two-factor authentication off'],
  'mfa.on': ['turn two-factor authentication on', 'turned two-factor authentication on'],
  'mfa.renew-recovery-codes': ['renew the recovery codes', 'renewed the recovery codes'],
  'mfa.set-up': ['set up two-factor authentication', 'set up two-factor authentication'],
  'mfa.step-up': ['confirm a second factor', 'confirmed a second factor'],
  'passkey.begin': ['start to add a passkey', 'started to add a passkey'],
  'passkey.step-up': ['confirm a passkey', 'confirmed a passkey'],
  'preferences.change': ['change preferences', 'changed preferences'],
  'reserve.sweep': ['move earnings to the reserve', 'moved earnings to the reserve'],
  'reserve.withdraw': ['withdraw from the reserve', 'withdrew from the reserve'],
  'settings.save': ['change the settings', 'changed the settings'],
  'template.test': ['send a test email', 'sent a test email'],
  'user.change-email': ['change an email address', 'changed an email address'],
  'user.change-password': ['change the password', 'changed the password'],
  'user.change-status': ['change the status of a user', 'changed the status of a user'],
  'user.close': ['close the account', 'closed the account'],
  'user.delete': ['delete a user', 'deleted a user'],
  'user.download-data': ['download the data of the account', 'downloaded the data of the account'],
  'user.end-session': ['end a session', 'ended a session'],
  'user.end-sessions': ['end all other sessions', 'ended all other sessions'],
  'user.force-reset': ['force a password reset', 'forced a password reset'],
  'user.forgot-password': ['request a password reset', 'requested a password reset'],
  'user.invite-admin': ['invite an administrator', 'invited an administrator'],
  'user.login': ['sign in', 'signed in'],
  'user.login-mfa': ['sign in with a second factor', 'signed in with a second factor'],
  'user.login-passkey': ['sign in with a passkey', 'signed in with a passkey'],
  'user.note': ['add a note about a user', 'added a note about a user'],
  'user.photo': ['change the photo', 'changed the photo'],
  'user.reset-mfa': [
    'reset the two-factor authentication of a user',
    'reset the two-factor authentication of a user',
  ],
  'user.reset-password': ['reset the password', 'reset the password'],
  'user.review-name': ['review a changed name', 'reviewed a changed name'],
  'user.revoke-sessions': ['end all sessions of a user', 'ended all sessions of a user'],
  'user.set-roles': ['change the roles of a user', 'changed the roles of a user'],
  'user.sign-up': ['register', 'registered'],
  'user.update-profile': ['change the profile', 'changed the profile'],
  'user.verify-email': ['confirm an email address', 'confirmed an email address'],
}

/**
 * Describes an entry as a sentence without its actor, such as `approved deposit DP-1 of $50.00` or
 * `tried to sign in`.
 */
export function describeEntry({ action, result, details }: AuditEntry): string {
  const [base, past] = buildPhrase(action, details)
  return result === 'success' ? past : `tried to ${base}`
}

function buildPhrase(action: string, details: AuditEntry['details']): Verb {
  const phrase = PHRASES[action]
  if (phrase !== undefined) return phrase
  const [noun = '', act = ''] = action.split('.')
  // All exports of one noun, such as `ledger.export-accounts`, have the same text.
  const verb = VERBS[act.startsWith('export') ? 'export' : act]
  if (verb === undefined) {
    const words = `“${describeAction(action)}”`
    return [`use ${words}`, `used ${words}`]
  }
  const object = act.startsWith('export') ? describeExport(action) : describeObject(noun, details)
  return [`${verb[0]} ${object}`, `${verb[1]} ${object}`]
}

/** Formats `payment-option.export` as `payment option data`. */
function describeExport(action: string): string {
  const [noun = '', part = ''] = action.split('.')
  const words = [noun, part.replace(/^export-?/, '')].filter(Boolean).join(' ')
  return `${words.replaceAll('-', ' ')} data`
}

/** Names the object by its type, reference or name if the entry records one. */
function describeObject(noun: string, details: AuditEntry['details']): string {
  const { type, reference, name, amountMinor } = details
  const kind = noun === 'transaction' && typeof type === 'string' ? type : null
  const words = [
    typeof reference === 'string' && kind !== null
      ? `${kind} ${reference}`
      : typeof name === 'string'
        ? `${noun.replaceAll('-', ' ')} ${name}`
        : kind === null
          ? (OBJECTS[noun] ?? noun.replaceAll('-', ' '))
          : `a ${kind}`,
  ]
  if (/^\d+$/.test(String(amountMinor)))
    words.push(`of ${formatMoney(BigInt(String(amountMinor)))}`)
  return words.join(' ')
}
