import type { Preferences } from '@cairn/gateway-contracts'

/** A mail that leaves: what it is about, its built-in text, and what may stand in the text. */
export interface MailKind {
  title: string
  subject: string
  /** In the markup of `markup.ts`. */
  body: string
  /** The names that may stand in `{{…}}`, each with what it could be. */
  samples: Readonly<Record<string, string>>
  /** Without them the mail would be of no use. */
  required?: readonly string[]
  /** The choice that switches it off; without one it always leaves. */
  wish?: Wish
}

export type Wish = Extract<
  keyof Preferences,
  'accountActivity' | 'investmentUpdates' | 'transactionAlerts' | 'monthlyStatement'
>

export const NOT_YOU =
  'If this was not you, set a new password at once: it ends every session and pauses withdrawals.\n\n' +
  '[This was not me]({{siteUrl}}/users/forgotPassword)'
