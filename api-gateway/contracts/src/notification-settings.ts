import { z } from 'zod'
import { Email, OptionalEmail } from './fields.ts'
import { defineFlag, defineList, defineSetting, optionalSite, site } from './setting-kinds.ts'

export const AUDITORS_MAX = 20

export const notificationSettings = {
  emailNotifications: defineFlag({
    ...site,
    section: 'Email to administrators',
    label: 'Email notifications',
    hint: 'Emails to investors about their own money are always sent.',
    initial: true,
    weakenedBy: 'switching off',
  }),
  adminEmail: defineSetting({
    ...optionalSite,
    section: 'Email to administrators',
    label: 'Address for these emails',
    hint: 'If empty, every active administrator receives these emails.',
    form: OptionalEmail,
    answer: z.string().nullable(),
    control: 'email',
    isOptional: true,
    isWide: true,
    initial: null,
    weakenedBy: 'any change',
  }),
  newUserNotification: defineFlag({
    ...site,
    section: 'Email to administrators',
    label: 'A new user has registered',
    initial: true,
    weakenedBy: 'switching off',
  }),
  depositNotification: defineFlag({
    ...site,
    section: 'Email to administrators',
    label: 'A deposit is waiting for approval',
    initial: true,
    weakenedBy: 'switching off',
  }),
  withdrawalNotification: defineFlag({
    ...site,
    section: 'Email to administrators',
    label: 'A withdrawal is waiting for approval',
    initial: true,
    weakenedBy: 'switching off',
  }),
  /** Recipients of the monthly mail with the signed trial balance. */
  auditorEmails: defineList({
    ...optionalSite,
    section: 'Auditors',
    label: 'Email addresses of auditors',
    hint: 'At the end of each month, they receive the signed trial balance and the newest checkpoint of the ledger.',
    of: Email,
    max: AUDITORS_MAX,
    noun: 'addresses',
    initial: [],
    weakenedBy: 'any change',
  }),
}
