import type { Permission } from './permissions.ts'

/**
 * Fields that are masked in every answer and export for an administrator who lacks the `permission`
 * of the field. The caller's own data is not masked.
 */
export const MASKED_FIELDS = {
  accountNumber: { permission: 'bankAccounts.read', mask: maskNumber },
  email: { permission: 'contacts.read', mask: maskEmail },
  pendingEmail: { permission: 'contacts.read', mask: maskEmail },
  phone: { permission: 'contacts.read', mask: maskAll },
  firstAddress: { permission: 'contacts.read', mask: maskAll },
  secondAddress: { permission: 'contacts.read', mask: maskAll },
  townCity: { permission: 'contacts.read', mask: maskAll },
  photo: { permission: 'contacts.read', mask: () => 'default.png' },
} as const satisfies Readonly<Record<string, { permission: Permission; mask: Mask }>>
export type MaskedField = keyof typeof MASKED_FIELDS

/**
 * Parts of an answer that contain accounts and addresses of the operator. These parts are public
 * and are not masked.
 */
export const UNMASKED_PARTS: ReadonlySet<string> = new Set([
  'paymentOption',
  'paymentOptions',
  'paidTo',
  'settings',
])

export type Mask = (value: string) => string

const HIDDEN = '••••'

/**
 * Masks a number except its last four characters. A number of at most four characters is masked
 * completely.
 */
export function maskNumber(number: string): string {
  const last = number.replace(/\s/g, '').slice(-4)
  return number.replace(/\s/g, '').length > 4 ? `${HIDDEN} ${last}` : HIDDEN
}

function maskEmail(email: string): string {
  return `${email.slice(0, 1)}***@***`
}

function maskAll(value: string): string {
  return value === '' ? '' : HIDDEN
}
