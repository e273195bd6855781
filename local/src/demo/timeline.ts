import type { Command, CommandType, DataOf, Id } from '@cairn/ledger-contracts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

type Step = () => void

/** Collects commands in the order of simulated time. */
export interface Timeline {
  readonly commands: readonly Command[]
  addStep(atMs: number, step: Step): void
  addCommand<Type extends CommandType>(
    type: Type,
    command: { actor: string; atMs: number | null; data: DataOf<Type> },
  ): void
  run(untilMs: number): void
}

export function createTimeline(): Timeline {
  const commands: Command[] = []
  const steps: { atMs: number; order: number; step: Step }[] = []
  let order = 0
  return {
    commands,
    addStep: (atMs, step) => {
      order += 1
      steps.push({ atMs, order, step })
    },
    addCommand: (type, { actor, atMs, data }) => {
      const command = {
        type,
        data,
        actor,
        // The demo is the same in each run, so a command always has the same position and the same
        // key.
        key: `demo-${commands.length + 1}`,
        requestId: null,
        effectiveAt: atMs === null ? null : new Date(atMs).toISOString(),
      }
      // The cast is safe because the signature pairs type and data.
      commands.push(command as Command)
    },
    run: (untilMs) => {
      for (;;) {
        const next = takeEarliest(steps)
        if (next === undefined || next.atMs > untilMs) return
        next.step()
      }
    },
  }
}

function takeEarliest<Item extends { atMs: number; order: number }>(
  steps: Item[],
): Item | undefined {
  let best = 0
  for (let index = 1; index < steps.length; index += 1) {
    const [candidate, leader] = [steps[index], steps[best]]
    if (candidate === undefined || leader === undefined) continue
    const isEarlier = candidate.atMs - leader.atMs || candidate.order - leader.order
    if (isEarlier < 0) best = index
  }
  return steps.splice(best, 1)[0]
}

export interface Wallets {
  balanceMinor: bigint
  profitMinor: bigint
}

export interface StoryReceipt {
  readonly id: string
  readonly sha256: string
}

export interface StoryInvestor {
  readonly id: Id
  readonly email: string
  readonly joinedOnDay: number
  readonly referrerId: Id | null
  readonly bankAccountId: string
  readonly bankAccountSha256: string
  /** The investor's picture of a payment, which the deposits of the history use. */
  readonly receipt: StoryReceipt
  readonly wallets: Wallets
}
