import { z } from 'zod'
import { Minor } from './money.ts'
import { REFUSALS } from './refusals.ts'

export const Posting = z.object({ account: z.string(), amountMinor: Minor })
export type Posting = z.infer<typeof Posting>

/** A fact of the log as others read it: the same for its first answer, a replay and the feed. */
export const RecordedEvent = z.object({
  seq: Minor,
  type: z.string(),
  schemaVersion: z.int(),
  actor: z.string(),
  recordedAt: z.string(),
  effectiveAt: z.string(),
  /** As the event has it: integers as strings of digits. */
  data: z.record(z.string(), z.unknown()),
  postings: z.array(Posting),
})
export type RecordedEvent = z.infer<typeof RecordedEvent>

export const Recorded = z.object({
  outcome: z.literal('recorded'),
  /** True when this key had been answered before; nothing was written this time. */
  isReplay: z.boolean(),
  event: RecordedEvent,
})
export const Refused = z.object({
  outcome: z.literal('refused'),
  code: z.enum(REFUSALS),
  message: z.string(),
  /** Facts the caller may show, such as who decided first and when. */
  details: z.record(z.string(), z.string()),
})
/** Nothing is known to be written by this command; the same key may be tried again. */
export const Failed = z.object({
  outcome: z.literal('failed'),
  code: z.enum(['MALFORMED', 'POISON', 'OVERLOADED', 'UNAVAILABLE']),
  message: z.string(),
})
export const Answer = z.discriminatedUnion('outcome', [Recorded, Refused, Failed])
export type Recorded = z.infer<typeof Recorded>
export type Refused = z.infer<typeof Refused>
export type Failed = z.infer<typeof Failed>
export type Answer = z.infer<typeof Answer>

/** How a command ended: the code of a refusal or failure, and nothing of the event. */
export const BriefAnswer = z.object({
  outcome: z.enum(['recorded', 'refused', 'failed']),
  code: z.string().nullable(),
})
export type BriefAnswer = z.infer<typeof BriefAnswer>

export const BriefResponse = z.object({ answers: z.array(BriefAnswer) })
export const CommandsResponse = z.object({ answers: z.array(Answer) })

export const EventsResponse = z.object({ events: z.array(RecordedEvent), size: Minor })
export type EventsResponse = z.infer<typeof EventsResponse>
