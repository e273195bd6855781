import type { Preferences } from '@cairn/gateway-contracts'

/** A kind of mail: its title, built-in text and placeholders. */
export interface MailKind {
  title: string
  subject: string
  /** The built-in text, in the markup of `markup.ts`. */
  body: string
  /** A sample value for each placeholder that the mail may contain. */
  samples: Readonly<Record<string, string>>
  /**
   * The button with a token. The gateway places this button after the first paragraph, so that a
   * template cannot remove, move or change it.
   */
  link?: { label: string; samplePath: string }
  /** Placeholders that an edited template must contain. */
  required?: readonly string[]
  /** The preference that switches the mail off. Without this property, the mail is always sent. */
  preference?: MailPreference
  /**
   * The end of a mail that people can unsubscribe from. The gateway places it, so that a template
   * cannot remove, move or change it.
   */
  ending?: MailEnding
}

export interface MailEnding {
  /** A sentence before the link; null if the kind of mail needs none. */
  text: string | null
  /** The label of the link that switches the mail off without a login. */
  linkLabel: string
}

export type MailPreference = Extract<
  keyof Preferences,
  | 'accountActivity'
  | 'investmentUpdates'
  | 'transactionAlerts'
  | 'monthlyStatement'
  | 'promotionalOffers'
  | 'marketUpdates'
>

export const NOT_YOU =
  'If this was not you, set a new password at once: it ends every session and pauses withdrawals.\n\n' +
  '[This was not me]({{siteUrl}}/users/forgotPassword)'
