import type { Preferences } from '@cairn/gateway-contracts'

/** A kind of mail: its title, built-in text and placeholders. */
export interface MailKind {
  title: string
  subject: string
  /** In the markup of `markup.ts`. */
  body: string
  /** The allowed placeholders, each with a sample value. */
  samples: Readonly<Record<string, string>>
  /**
   * The button with a token, which the code places after the first paragraph: a template cannot hold,
   * move or rewrite it.
   */
  link?: { label: string; samplePath: string }
  /** Placeholders that an edited template must contain. */
  required?: readonly string[]
  /** The preference that switches the mail off; without one it is always sent. */
  preference?: MailPreference
}

export type MailPreference = Extract<
  keyof Preferences,
  'accountActivity' | 'investmentUpdates' | 'transactionAlerts' | 'monthlyStatement'
>

export const NOT_YOU =
  'If this was not you, set a new password at once: it ends every session and pauses withdrawals.\n\n' +
  '[This was not me]({{siteUrl}}/users/forgotPassword)'
