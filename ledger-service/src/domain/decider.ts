import type {
  CommandType,
  DataOf,
  EventDataOf,
  EventType,
  Fact,
  Posting,
} from '@cairn/ledger-contracts'
import type { Context, Decision, PlacedEvent, Refusal } from '../log/model.ts'
import type { Need, View } from '../log/view.ts'

/** One command's part of the rule book. Pure: it reads the view, its data and its context. */
export interface Decider<Type extends CommandType> {
  /** Keys to load; asked again while some are missing, so that one may lead to the next. */
  needs(data: DataOf<Type>, view: View): readonly Need[]
  decide(data: DataOf<Type>, view: View, context: Context): Decision
}

export type Deciders = { [Type in CommandType]: Decider<Type> }

/** How the state of one event type's subjects follows from it; balances follow by themselves. */
export type Evolve<Type extends EventType> = (
  data: EventDataOf<Type>,
  view: View,
  event: PlacedEvent,
) => void

export type Evolvers = { [Type in EventType]: Evolve<Type> }

export function record(
  fact: Fact,
  context: Pick<Context, 'effectiveAtMs'>,
  ...postings: readonly (readonly Posting[])[]
): Decision {
  return { fact, postings: postings.flat(), effectiveAtMs: context.effectiveAtMs }
}

export function isRefusal<T extends object>(
  value: T | { refusal: Refusal },
): value is {
  refusal: Refusal
} {
  return 'refusal' in value
}
