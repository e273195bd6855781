import { z } from 'zod'
import { Control } from './approvals.ts'
import { Minor } from './money.ts'
import { REFUSALS } from './refusals.ts'

export const Posting = z.object({ account: z.string(), amountMinor: Minor })
export type Posting = z.infer<typeof Posting>

/**
 * The place of an event in a group of linked commands. Linked commands are recorded together or not
 * at all.
 */
export const LinkedPlace = z.object({ index: z.int(), length: z.int() })
export type LinkedPlace = z.infer<typeof LinkedPlace>

/**
 * An event as the API returns it. Every answer to its command and the feed contain exactly this
 * value.
 */
export const RecordedEvent = z.object({
  seq: Minor,
  type: z.string(),
  schemaVersion: z.int(),
  actor: z.string(),
  recordedAt: z.string(),
  effectiveAt: z.string(),
  /** The approvals of the event; null if the event needs no approver. */
  control: Control.nullable(),
  /** Null if the command was not linked with other commands. */
  linked: LinkedPlace.nullable(),
  /** The id of the command in another system; null if the command has no such id. */
  externalId: z.string().nullable(),
  /** The metadata of the command; null if the command has no metadata. */
  metadata: z.record(z.string(), z.string()).nullable(),
  /** The stored data, in which integers are strings of digits. */
  data: z.record(z.string(), z.unknown()),
  postings: z.array(Posting),
})
export type RecordedEvent = z.infer<typeof RecordedEvent>

export const Recorded = z.object({
  outcome: z.literal('recorded'),
  /** True if this is the stored answer to an earlier command with the same key. */
  isReplay: z.boolean(),
  event: RecordedEvent,
})
export const Refused = z.object({
  outcome: z.literal('refused'),
  code: z.enum(REFUSALS),
  message: z.string(),
  /**
   * Details that the caller may show, such as the administrator who decided first and the time of
   * that decision.
   */
  details: z.record(z.string(), z.string()),
})
/**
 * The ledger confirmed no result for this command. The caller may retry the command with the same
 * key.
 */
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

/** An event as it would be recorded now. It has no place in the log. */
export const UnrecordedEvent = RecordedEvent.omit({ seq: true })
export type UnrecordedEvent = z.infer<typeof UnrecordedEvent>
/** The answer of a dry run to a command that would be recorded. Nothing was recorded. */
export const Accepted = z.object({ outcome: z.literal('accepted'), event: UnrecordedEvent })
export const DryRunAnswer = z.discriminatedUnion('outcome', [Accepted, Refused, Failed])
export type DryRunAnswer = z.infer<typeof DryRunAnswer>

/** The outcome of a command without its event. `code` is set for a refusal or a failure. */
export const BriefAnswer = z.object({
  outcome: z.enum(['recorded', 'refused', 'failed']),
  code: z.string().nullable(),
})
export type BriefAnswer = z.infer<typeof BriefAnswer>

export const BriefResponse = z.object({ answers: z.array(BriefAnswer) })
export const CommandsResponse = z.object({ answers: z.array(Answer) })
export const DryRunResponse = z.object({ answers: z.array(DryRunAnswer) })

export const EventsResponse = z.object({
  events: z.array(RecordedEvent),
  size: Minor,
  /**
   * The W3C traceparents of the commands of these events, by `seq`. An event has none if it was not
   * traced, or if it was recorded by another process or too long ago.
   */
  traceparents: z.record(z.string(), z.string()).optional(),
})
export type EventsResponse = z.infer<typeof EventsResponse>
