import { type Answer, type Command, type Lane, toJson } from '@cairn/ledger-contracts'
import type { CommandSource } from './commands.ts'
import type { Instance } from './instance.ts'
import type { World } from './world.ts'

/** A command that a client wants to be recorded, with all answers to its attempts. */
export interface Wish {
  readonly command: Command
  /** The size of the log at the first attempt. */
  readonly askedAt: number
  readonly answers: {
    answer: Answer
    instance: number
    lane: Lane
    place: number
    /** The size of the log when this answer arrived. */
    getLogSize: number
  }[]
  /** The number of attempts without an answer, whose outcome is unknown. */
  lost: number
}

const ATTEMPTS_MAX = 400

export interface Callers {
  readonly wishes: readonly Wish[]
  readonly violations: readonly string[]
  run(commands: number): Promise<void>
}

/**
 * Creates clients that behave correctly: they repeat a command with the same key until it is
 * answered.
 */
export function createCallers(options: {
  world: World
  source: CommandSource
  instances(): readonly Instance[]
  getLogSize(): number
}): Callers {
  const { world, source, getLogSize } = options
  const { random } = world
  const wishes: Wish[] = []
  const violations: string[] = []
  let place = 0

  async function pickInstance(): Promise<Instance> {
    for (;;) {
      const alive = options
        .instances()
        .filter((instance) => !instance.isDead() && !instance.isReplaced())
      if (alive.length > 0) return random.pick(alive)
      await world.waitTurns(5)
    }
  }

  /** Makes one attempt. Returns null if there was no answer. */
  async function send(wish: Wish, lane: Lane): Promise<Answer | null> {
    const instance = await pickInstance()
    place += 1
    const sent = { instance: instance.number, lane, place }
    const answers = await instance.submit([wish.command], lane)
    const answer = answers?.[0] ?? null
    if (answer === null) wish.lost += 1
    else wish.answers.push({ answer, ...sent, getLogSize: getLogSize() })
    return answer
  }

  async function sendUntilAnswered(wish: Wish, lane: Lane): Promise<Answer | null> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const answer = await send(wish, lane)
      if (answer !== null && answer.outcome !== 'failed') return answer
      if (answer?.outcome === 'failed' && answer.code === 'POISON') return answer
      // A command without an idempotency key must not be repeated after its answer was lost.
      if (wish.command.key === null) return null
      await world.waitTurns(1 + random.pickInt(20))
    }
    violations.push(`${formatName(wish.command)}: no answer after ${ATTEMPTS_MAX} attempts`)
    return null
  }

  async function sendWish(command: Command): Promise<void> {
    const lane = random.rollChance(0.3) ? 'bulk' : 'interactive'
    const wish: Wish = { command, askedAt: getLogSize(), answers: [], lost: 0 }
    wishes.push(wish)
    const isTwice = command.key !== null && random.rollChance(0.2)
    const asking = [
      sendUntilAnswered(wish, lane),
      ...(isTwice ? [sendUntilAnswered(wish, lane)] : []),
    ]
    const [answer] = await Promise.all(asking)
    if (answer?.outcome === 'recorded') source.noteHappened(command)
    if (answer === null || answer === undefined || command.key === null) return
    if (random.rollChance(0.2)) await sendUntilAnswered(wish, lane)
    if (random.rollChance(0.1)) await useKeyAgain(command)
  }

  async function useKeyAgain(command: Command): Promise<void> {
    const other = { ...command, effectiveAt: new Date(world.clock.now() - 1).toISOString() }
    // The cast holds because only the time differs.
    const wish: Wish = { command: other as Command, askedAt: getLogSize(), answers: [], lost: 0 }
    const answer = await sendUntilAnswered(wish, 'interactive')
    if (answer?.outcome === 'refused' && answer.code === 'KEY_REUSED') return
    violations.push(`${formatName(command)}: its key served another request: ${toJson(answer)}`)
  }

  async function sendCommands(state: { left: number }): Promise<void> {
    while (state.left > 0) {
      const burst = Math.min(state.left, 1 + random.pickInt(3))
      state.left -= burst
      await Promise.all(Array.from({ length: burst }, () => sendWish(source.next())))
      if (random.rollChance(0.3)) await world.waitTurns(random.pickInt(10))
    }
  }

  return {
    wishes,
    violations,
    run: async (commands) => {
      const state = { left: commands }
      await Promise.all(Array.from({ length: 1 + random.pickInt(7) }, () => sendCommands(state)))
    },
  }
}

export function formatName(command: Command): string {
  return `${command.type} of ${command.actor}`
}
