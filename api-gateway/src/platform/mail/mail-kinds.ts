import { ACCOUNT_MAILS } from './account-mails.ts'
import { ADMIN_MAILS } from './admin-mails.ts'
import { ANNOUNCEMENT_MAILS } from './announcement-mails.ts'
import type { MailKind } from './mail-kind.ts'
import type { Values } from './markup.ts'
import { MONEY_MAILS } from './money-mails.ts'

const ALL = {
  ...ACCOUNT_MAILS,
  ...MONEY_MAILS,
  ...ANNOUNCEMENT_MAILS,
  ...ADMIN_MAILS,
} as const

const SAMPLE_UNSUBSCRIBE_PATH = '/unsubscribe?token=sample'

export type MailName = keyof typeof ALL
/** All kinds of mail, in the order in which administrators see them. */
export const MAIL_KINDS: Readonly<Record<MailName, MailKind>> = ALL
// The cast is safe because `ALL` has exactly the keys of the type.
export const MAIL_NAMES = Object.keys(ALL) as readonly MailName[]

export function isMailName(name: string): name is MailName {
  return Object.hasOwn(ALL, name)
}

/** Returns sample values for all placeholders of a mail, including the paths of its links. */
export function getSamples(name: MailName): Values {
  const { samples, link, ending } = MAIL_KINDS[name]
  return {
    ...samples,
    ...(link === undefined ? {} : { path: link.samplePath }),
    ...(ending === undefined ? {} : { unsubscribePath: SAMPLE_UNSUBSCRIBE_PATH }),
  }
}

/** Sample values for the placeholders that every mail may contain. */
export const COMMON_SAMPLES = {
  name: 'Ada Example',
  siteName: 'Cairn',
  siteUrl: 'https://cairn.example',
}
