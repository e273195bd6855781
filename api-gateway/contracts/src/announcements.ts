import { z } from 'zod'
import { CHANGE_FAILURES, changeReason } from './change-failures.ts'
import { declareCsvEndpoint, declareEndpoint } from './endpoint.ts'
import { declareFailure, LEDGER_QUERY_FAILURES } from './failures.ts'
import { createRequiredTextField, createWholeNumberField, Id, Instant, identity } from './fields.ts'
import type { Preferences } from './preferences.ts'
import { Person } from './users.ts'

export const ANNOUNCEMENT_KINDS = ['promotional-offer', 'market-update'] as const
export const AnnouncementKind = z.enum(ANNOUNCEMENT_KINDS, 'Choose the kind of the announcement')
export type AnnouncementKind = z.infer<typeof AnnouncementKind>

/** The preference with which a person asks for the announcements of each kind. */
export const CONSENTS = {
  'promotional-offer': 'promotionalOffers',
  'market-update': 'marketUpdates',
} as const satisfies Record<AnnouncementKind, keyof Preferences>

/** The time that passes between two announcements of one kind. */
export const ANNOUNCEMENT_PAUSE_HOURS = 24

/** An announcement that was sent. It is never changed. */
export const Announcement = z.object({
  ...identity,
  kind: AnnouncementKind,
  subject: z.string(),
  text: z.string(),
  sentAt: Instant,
  sentBy: Person.optional(),
  /** The number of people to whom it was sent. */
  recipients: z.int(),
})
export type Announcement = z.infer<typeof Announcement>

/** The people who would receive an announcement of this kind now. */
export const Audience = z.object({
  kind: AnnouncementKind,
  recipients: z.int(),
  /** The time from which the next announcement can be sent; null if it can be sent now. */
  nextAt: Instant.nullable(),
})
export type Audience = z.infer<typeof Audience>

const content = z.strictObject({
  kind: AnnouncementKind,
  subject: createRequiredTextField('Subject', 150),
  /** Blank lines separate paragraphs. There is no markup. */
  text: z
    .string('Text is required')
    .trim()
    .min(1, 'Text is required')
    .max(5_000, 'Text must be at most 5000 characters')
    .regex(/^[^\p{Cs}\0]*$/u, 'Text has characters that cannot be stored'),
})
export type AnnouncementContent = z.infer<typeof content>

/** Lists the sent announcements, newest first. */
export const listAnnouncements = declareEndpoint({
  method: 'GET',
  path: '/admin/announcements',
  permission: 'templates.read',
  request: z.strictObject({
    query: z.strictObject({
      limit: createWholeNumberField('limit', { min: 1, max: 100 }).default(25),
      before: Id.optional(),
    }),
  }),
  response: z.object({
    announcements: z.array(Announcement),
    /** Empty if the request names `before`. */
    audiences: z.array(Audience),
    meta: z.object({ next: Id.nullable() }),
  }),
})

/** Returns the mail as a recipient would receive it, without sending it. */
export const previewAnnouncement = declareEndpoint({
  method: 'POST',
  path: '/admin/announcements/preview',
  permission: 'templates.write',
  request: z.strictObject({ body: content }),
  response: z.object({
    preview: z.object({ subject: z.string(), html: z.string(), text: z.string() }),
    audience: Audience,
  }),
})

/**
 * Sends the announcement to all active people who have switched on its kind in their preferences.
 * It cannot be taken back.
 */
export const sendAnnouncement = declareEndpoint({
  method: 'POST',
  path: '/admin/announcements',
  permission: 'templates.write',
  isIdempotent: true,
  request: z.strictObject({ body: content.extend(changeReason) }),
  status: 201,
  response: z.object({ announcement: Announcement }),
  failures: [
    declareFailure(
      409,
      'ANNOUNCED_RECENTLY',
      `Each kind can be sent once in ${ANNOUNCEMENT_PAUSE_HOURS} hours. The next {kind} can be sent from {time}.`,
    ),
    declareFailure(409, 'NO_RECIPIENTS', 'No active person has switched on these emails'),
    ...CHANGE_FAILURES,
    ...LEDGER_QUERY_FAILURES,
  ],
})

export const exportAnnouncements = declareCsvEndpoint({
  path: '/admin/announcements.csv',
  permission: 'templates.read',
})

/**
 * Switches off the mails that contain the link with this token. It needs no login: the token names
 * the person and the kind of mail, and proves that the gateway wrote it. Mail programs send the
 * body of RFC 8058 to `/unsubscribe`, which is the same call.
 */
export const unsubscribe = declareEndpoint({
  method: 'POST',
  path: '/public/unsubscribe',
  access: 'anyone',
  request: z.strictObject({
    query: z.strictObject({ token: z.string('The link is not complete').max(500) }),
    body: z.strictObject({ 'List-Unsubscribe': z.literal('One-Click').optional() }),
  }),
  response: z.object({ kind: AnnouncementKind }),
  failures: [
    declareFailure(
      400,
      'UNSUBSCRIBE_LINK_INVALID',
      'This link is not valid. You can switch these emails off in your settings.',
    ),
  ],
})
