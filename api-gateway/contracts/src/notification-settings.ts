import { z } from 'zod'
import { Email, OptionalEmail } from './fields.ts'
import { flag, list, optionalSite, setting, site } from './setting-kinds.ts'

export const AUDITORS_MAX = 20

export const notificationSettings = {
  emailNotifications: flag({
    ...site,
    section: 'E-mail to administrators',
    label: 'E-mail notifications',
    hint: 'Mails to investors about their own money are always sent.',
    initial: true,
    weakenedBy: 'switching off',
  }),
  adminEmail: setting({
    ...optionalSite,
    section: 'E-mail to administrators',
    label: 'Admin e-mail',
    hint: 'Empty: every active administrator.',
    form: OptionalEmail,
    answer: z.string().nullable(),
    control: 'email',
    isOptional: true,
    isWide: true,
    initial: null,
    weakenedBy: 'any change',
  }),
  newUserNotification: flag({
    ...site,
    section: 'E-mail to administrators',
    label: 'A new user has registered',
    initial: true,
  }),
  depositNotification: flag({
    ...site,
    section: 'E-mail to administrators',
    label: 'A deposit waits for approval',
    initial: true,
  }),
  withdrawalNotification: flag({
    ...site,
    section: 'E-mail to administrators',
    label: 'A withdrawal waits for approval',
    initial: true,
  }),
  /** Recipients of the monthly mail with the signed trial balance. */
  auditorEmails: list({
    ...optionalSite,
    section: 'Auditors',
    label: 'E-mail addresses of auditors',
    hint: 'Each month end they receive the latest checkpoint of the log.',
    of: Email,
    max: AUDITORS_MAX,
    noun: 'addresses',
    initial: [],
    weakenedBy: 'any change',
  }),
}
