import { z } from 'zod'

export const MAIL_QUEUE = 'mail.send'

/** A target, never the text: who and how much is read when the mail leaves. */
export const MailPayload = z.discriminatedUnion('source', [
  z.strictObject({ source: z.literal('outbox'), outboxId: z.string() }),
  z.strictObject({
    source: z.literal('event'),
    seq: z.string(),
    type: z.string(),
    data: z.record(z.string(), z.unknown()),
  }),
])
export type MailPayload = z.infer<typeof MailPayload>

/** Says what the mail follows from, so that each mail leaves once. */
export function mailKeyOf(payload: MailPayload): string {
  return payload.source === 'outbox' ? `outbox-${payload.outboxId}` : `event-1-${payload.seq}`
}
