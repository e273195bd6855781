import { type ConnectedInstance, servesLedger } from './instances.ts'
import { choosePreferred } from './preference.ts'

/** The time that a preferred instance has to take a free ledger. It asks every 300 ms. */
const PATIENCE_MS = 1_000
/** For this time, an instance that has not taken a free ledger is not preferred. */
const NEGLECT_MS = 60_000

/** Decides which ledgers an instance takes and which ones it gives to another instance. */
export interface Placement {
  /** Called at each poll with the instances that are connected. */
  setInstances(instances: readonly ConnectedInstance[], nowMs: number): void
  /** Called at each poll with the ledgers whose lock is free. Returns those that this instance takes. */
  chooseFree(free: readonly number[], nowMs: number): readonly number[]
  /** True if another connected instance is preferred for a ledger that this instance holds. */
  isForeign(ledger: number): boolean
}

/**
 * A ledger belongs to the preferred instance. If that instance is connected but does not take a
 * free ledger, because it hangs, another instance takes the ledger and keeps it.
 */
export function createPlacement({
  address: own,
  patienceMs = PATIENCE_MS,
}: {
  /** The address of this instance as its connection names it. */
  address: string
  patienceMs?: number | undefined
}): Placement {
  const neglectedAt = new Map<string, number>()
  let freeSince: ReadonlyMap<number, number> = new Map()
  let connected: readonly ConnectedInstance[] = []
  /** The choices for `connected`. */
  let preferred = new Map<number, string>()

  function choose(ledger: number): string {
    const known = preferred.get(ledger)
    if (known !== undefined) return known
    const serving = connected.filter((instance) => servesLedger(instance, ledger))
    const addresses = serving.map(({ address }) => address)
    const chosen = choosePreferred(ledger, [own, ...addresses]) ?? own
    preferred.set(ledger, chosen)
    return chosen
  }

  return {
    setInstances: (instances, nowMs) => {
      for (const [address, atMs] of neglectedAt) {
        if (nowMs - atMs >= NEGLECT_MS) neglectedAt.delete(address)
      }
      const before = JSON.stringify(connected)
      connected = instances.filter(
        ({ address, isLeaving }) => address !== '' && !isLeaving && !neglectedAt.has(address),
      )
      if (JSON.stringify(connected) !== before) preferred = new Map()
    },
    chooseFree: (free, nowMs) => {
      freeSince = new Map(free.map((ledger) => [ledger, freeSince.get(ledger) ?? nowMs]))
      return free.filter((ledger) => {
        const chosen = choose(ledger)
        if (chosen === own) return true
        if (nowMs - (freeSince.get(ledger) ?? nowMs) < patienceMs) return false
        neglectedAt.set(chosen, nowMs)
        return true
      })
    },
    isForeign: (ledger) => choose(ledger) !== own,
  }
}
