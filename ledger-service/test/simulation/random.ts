/** A seeded random number generator for the simulation. */
export interface Random {
  /** Returns an integer from 0 up to, not including, `below`. */
  int(below: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  bytes(count: number): Buffer
}

const TWO_TO_32 = 4_294_967_296

/** Mulberry32: gives the same sequence on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / TWO_TO_32
  }

  const int = (below: number) => Math.floor(next() * below)
  return {
    int,
    chance: (probability) => next() < probability,
    pick: <T>(items: readonly T[]) => {
      const item = items[int(items.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => int(256))),
  }
}
