import { z } from 'zod'

export const MAIL_QUEUE = 'mail.send'

/** The span that caused the mail; omitted without traces. */
const traceparent = z.string().optional()

/** Refers to the data of a mail. Recipient and text are determined when the mail is sent. */
export const MailPayload = z.discriminatedUnion('source', [
  z.strictObject({
    source: z.literal('outbox'),
    outboxId: z.string(),
    /** The id of the request that caused the mail. The worker logs this id. */
    requestId: z.string().nullish(),
    traceparent,
  }),
  z.strictObject({
    source: z.literal('event'),
    seq: z.string(),
    type: z.string(),
    data: z.record(z.string(), z.unknown()),
    part: z.enum(['investor', 'referrer', 'office']).default('investor'),
    traceparent,
  }),
  z.strictObject({ source: z.literal('contact'), messageId: z.string() }),
  z.strictObject({
    source: z.literal('month'),
    month: z.string(),
    to: z.string(),
    /** The ledger that signed the month; omitted for the first ledger of the site. */
    ledger: z.int().optional(),
  }),
  z.strictObject({ source: z.literal('paper'), paperId: z.string() }),
  z.strictObject({
    source: z.literal('announcement'),
    announcementId: z.string(),
    userId: z.string(),
  }),
  z.strictObject({
    source: z.literal('given-up'),
    queue: z.string(),
    count: z.int(),
    day: z.string(),
  }),
  z.strictObject({
    source: z.literal('verification'),
    /** The id of the verification run. */
    id: z.string(),
    startedAt: z.string(),
    /** The number of problems that the run found, and the text of the first problem. */
    count: z.int(),
    first: z.string(),
    /** The first event with a problem; null if no event has a problem. */
    event: z.string().nullable(),
  }),
  z.strictObject({ source: z.literal('security'), auditId: z.string(), kind: z.string() }),
])
export type MailPayload = z.infer<typeof MailPayload>

/** Returns a text that identifies the cause of a mail, so that each mail is sent once. */
export function getMailKey(payload: MailPayload): string {
  switch (payload.source) {
    case 'outbox':
      return `outbox-${payload.outboxId}`
    case 'event':
      return `event-1-${payload.seq}${payload.part === 'investor' ? '' : `-${payload.part}`}`
    case 'contact':
      return `contact-${payload.messageId}`
    case 'month':
      return `month-${payload.month}-${payload.to.replace('@', '.at.')}${payload.ledger === undefined ? '' : `-${payload.ledger}`}`
    case 'paper':
      return `paper-${payload.paperId}`
    case 'announcement':
      return `announcement-${payload.announcementId}-${payload.userId}`
    case 'given-up':
      return `given-up-${payload.queue}-${payload.day}`
    case 'verification':
      return `verification-${payload.id}`
    case 'security':
      return `security-${payload.auditId}`
  }
}
