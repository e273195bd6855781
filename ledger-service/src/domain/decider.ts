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

/** The rules of one command. They read only the view, the data and the context. */
export interface Decider<Type extends CommandType> {
  /**
   * Returns the needs of the decision: the rows that it reads. This function is called again after
   * each load, because a loaded row can contain the key of another row.
   */
  needs(data: DataOf<Type>, view: View): readonly Need[]
  decide(data: DataOf<Type>, view: View, context: Context): Decision
}

export type Deciders = { [Type in CommandType]: Decider<Type> }

/**
 * Updates the projections for one event type, except the balances, which `applyPostings` updates.
 */
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
