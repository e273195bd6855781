import { type Answer, type Command, type Lane, toJson } from '@cairn/ledger-contracts'
import type { CommandSource } from './commands.ts'
import type { Instance } from './instance.ts'
import {
  createTrackedCommand,
  type DryRun,
  formatName,
  type GroupWish,
  type Wish,
} from './wishes.ts'
import type { World } from './world.ts'

const ATTEMPTS_MAX = 400
const LINKED_MAX = 5

export interface Callers {
  readonly wishes: readonly Wish[]
  readonly groups: readonly GroupWish[]
  readonly dryRuns: readonly DryRun[]
  readonly violations: readonly string[]
  run(commands: number): Promise<void>
}

/**
 * Creates clients that behave correctly: each client repeats a command, or a group of linked
 * commands, with the same keys until there is an answer.
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
  const groups: GroupWish[] = []
  const dryRuns: DryRun[] = []
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
    else wish.answers.push({ answer, ...sent, logSize: getLogSize() })
    return answer
  }

  /** Makes one attempt. Returns null if there was no answer. */
  async function sendGroup(group: GroupWish, lane: Lane): Promise<readonly Answer[] | null> {
    const instance = await pickInstance()
    const first = place + 1
    place += group.wishes.length
    const commands = group.wishes.map(({ command }) => command)
    const answers = await instance.submitLinked(commands, lane)
    const sent = { instance: instance.number, lane, logSize: getLogSize() }
    if (answers !== null) group.answers.push({ answer: answers, ...sent, place: first })
    for (const [index, wish] of group.wishes.entries()) {
      const answer = answers?.[index]
      if (answer === undefined) wish.lost += 1
      else wish.answers.push({ answer, ...sent, place: first + index })
    }
    return answers
  }

  /** Calls `attempt` repeatedly until it returns a final answer. Returns this answer. */
  async function repeatUntilAnswered(
    command: Command,
    attempt: () => Promise<Answer | null>,
  ): Promise<Answer | null> {
    for (let count = 0; count < ATTEMPTS_MAX; count += 1) {
      const answer = await attempt()
      if (answer !== null && answer.outcome !== 'failed') return answer
      if (answer?.outcome === 'failed' && answer.code === 'POISON') return answer
      // The answer MALFORMED means that the instance does not know the version of the rules that
      // the command activates.
      if (answer?.outcome === 'failed' && answer.code === 'MALFORMED') return null
      // A command without an idempotency key must not be repeated after its answer was lost.
      if (command.key === null) return null
      await world.waitTurns(1 + random.pickInt(20))
    }
    violations.push(`${formatName(command)}: no answer after ${ATTEMPTS_MAX} attempts`)
    return null
  }

  const sendUntilAnswered = (wish: Wish, lane: Lane) =>
    repeatUntilAnswered(wish.command, () => send(wish, lane))

  /** Submits a group until it is answered. Returns the answer to the first command of the group. */
  const sendGroupUntilAnswered = (group: GroupWish, lane: Lane) => {
    const [first] = group.wishes
    if (first === undefined) throw new Error('the group is empty')
    return repeatUntilAnswered(
      first.command,
      async () => (await sendGroup(group, lane))?.[0] ?? null,
    )
  }

  const pickLane = (): Lane => (random.drawChance(0.3) ? 'bulk' : 'interactive')

  async function sendTrackedCommand(command: Command): Promise<void> {
    const lane = pickLane()
    const wish = createTrackedCommand(command, { askedAt: getLogSize() })
    wishes.push(wish)
    const isTwice = command.key !== null && random.drawChance(0.2)
    const asking = [
      sendUntilAnswered(wish, lane),
      ...(isTwice ? [sendUntilAnswered(wish, lane)] : []),
    ]
    const [answer] = await Promise.all(asking)
    if (answer?.outcome === 'recorded') source.addRecordedIds(command)
    if (answer === null || answer === undefined || command.key === null) return
    if (random.drawChance(0.3)) await repeatLater(wish, lane)
    if (random.drawChance(0.1)) await useKeyAgain(command)
  }

  /**
   * Submits an answered command again, in most cases after a delay. After the delay, the key is
   * often no longer in the ledger's memory of recent keys.
   */
  async function repeatLater(wish: Wish, lane: Lane): Promise<void> {
    if (random.drawChance(0.7)) await world.waitTurns(random.pickInt(100))
    await sendUntilAnswered(wish, lane)
  }

  async function useKeyAgain(command: Command): Promise<void> {
    const other = { ...command, effectiveAt: new Date(world.clock.now() - 1).toISOString() }
    // The cast is safe, because the copy differs from the command only in its effective time.
    const wish = createTrackedCommand(other as Command, { askedAt: getLogSize() })
    const answer = await sendUntilAnswered(wish, 'interactive')
    if (answer?.outcome === 'refused' && answer.code === 'KEY_REUSED') return
    violations.push(`${formatName(command)}: its key served another request: ${toJson(answer)}`)
  }

  /** Returns commands in which a command can use the ids of the commands before it. */
  function createLinkedCommands(count: number): readonly Command[] {
    const commands: Command[] = []
    const isLikely = random.drawChance(0.7)
    for (let index = 0; index < count; index += 1) {
      const command = isLikely ? source.pickLikelyCommand() : source.next()
      source.addRecordedIds(command)
      const isKeyed = (commands[0] ?? command).key !== null
      commands.push({ ...command, key: isKeyed ? command.actor : null })
    }
    return commands
  }

  async function sendLinkedCommands(commands: readonly Command[]): Promise<void> {
    const lane = pickLane()
    const asked = commands.map((command) =>
      createTrackedCommand(command, { askedAt: getLogSize(), isLinked: true }),
    )
    const group: GroupWish = { wishes: asked, answers: [] }
    wishes.push(...asked)
    groups.push(group)
    const isKeyed = commands.every(({ key }) => key !== null)
    const isTwice = isKeyed && random.drawChance(0.2)
    const asking = [
      sendGroupUntilAnswered(group, lane),
      ...(isTwice ? [sendGroupUntilAnswered(group, lane)] : []),
    ]
    const [answer] = await Promise.all(asking)
    if (answer?.outcome === 'recorded') commands.forEach(source.addRecordedIds)
    if (answer === null || answer === undefined || !isKeyed) return
    if (random.drawChance(0.2)) await sendGroupUntilAnswered(group, lane)
    if (random.drawChance(0.2)) await sendUntilAnswered(random.pick(asked), lane)
    if (random.drawChance(0.2)) await resubmitPartOfGroup(commands)
  }

  /**
   * Submits a part of a recorded group together with a new command. The ledger must refuse these
   * commands.
   */
  async function resubmitPartOfGroup(commands: readonly Command[]): Promise<void> {
    const repeated = commands.slice(1)
    let fresh = source.next()
    // An instance that does not know the version of `ActivateModel` fails before it reads any key.
    if (repeated.some(({ type }) => type === 'ActivateModel')) return
    while (fresh.type === 'ActivateModel') fresh = source.next()
    const part = [...repeated, { ...fresh, key: fresh.actor }]
    const mixed: GroupWish = {
      wishes: part.map((command) => createTrackedCommand(command, { askedAt: getLogSize() })),
      answers: [],
    }
    await sendGroupUntilAnswered(mixed, 'interactive')
    const last = mixed.answers.at(-1)?.answer ?? []
    const isRefused = last.every((one) => one.outcome === 'refused' && one.code === 'KEY_REUSED')
    if (isRefused) return
    violations.push(`${fresh.actor}: keys of a group served another one: ${toJson(last)}`)
  }

  async function sendCommands(state: { left: number }): Promise<void> {
    while (state.left > 0) {
      const burst = Math.min(state.left, 1 + random.pickInt(3))
      state.left -= burst
      await Promise.all(Array.from({ length: burst }, sendSingleOrLinkedCommands))
      if (random.drawChance(0.3)) await world.waitTurns(random.pickInt(10))
    }
  }

  /**
   * Submits commands as a dry run, only once. A client needs no answer to a dry run, because a dry
   * run changes nothing.
   */
  async function sendDryRun(): Promise<void> {
    const commands = Array.from({ length: 1 + random.pickInt(3) }, source.pickLikelyCommand)
    const dryRun: DryRun = { commands, askedAt: getLogSize(), answers: [] }
    dryRuns.push(dryRun)
    const lane = pickLane()
    const instance = await pickInstance()
    const answer = await instance.submitDryRun(commands, lane)
    const sent = { instance: instance.number, lane, place, logSize: getLogSize() }
    if (answer !== null) dryRun.answers.push({ answer, ...sent })
  }

  async function sendSingleOrLinkedCommands(): Promise<void> {
    if (random.drawChance(0.05)) await sendDryRun()
    if (!random.drawChance(0.1)) return await sendTrackedCommand(source.next())
    const count = 2 + random.pickInt(random.pick([1, 1, LINKED_MAX - 1]))
    const commands = source.buildAndForgetIds(() => createLinkedCommands(count))
    await sendLinkedCommands(commands)
  }

  return {
    wishes,
    groups,
    dryRuns,
    violations,
    run: async (commands) => {
      const state = { left: commands }
      await Promise.all(Array.from({ length: 1 + random.pickInt(7) }, () => sendCommands(state)))
    },
  }
}
