import type { PayOption } from '@cairn/gateway-contracts'
import type { Id, PlanTerms } from '@cairn/ledger-contracts'
import type { SeededRandom } from './random.ts'
import type { StoryInvestor, Timeline } from './timeline.ts'

export interface Cast {
  readonly nowMs: number
  readonly adminId: Id
  readonly investors: readonly StoryInvestor[]
  /** The payment options to which deposits are made. */
  readonly options: readonly [StoryOption, ...StoryOption[]]
}

export interface StoryOption {
  readonly id: Id
  readonly type: PayOption
}

/** The data that each part of the demo history uses. */
export interface Stage extends Cast {
  readonly openedMs: number
  readonly admin: string
  readonly time: Timeline
  readonly random: SeededRandom
  readonly planIds: ReadonlyMap<PlanTerms, Id>
}

/** Returns a random duration between `min` and `max` hours, in milliseconds. */
export function pickHours(random: SeededRandom, min: number, max: number): number {
  return random.between(min * 3_600, max * 3_600) * 1_000
}
