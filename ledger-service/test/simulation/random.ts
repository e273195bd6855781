/** A seeded random number generator for the simulation. */
export interface Random {
  /** Returns an integer from 0 up to, not including, `below`. */
  pickInt(below: number): number
  drawChance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  createBytes(count: number): Buffer
}

const TWO_TO_32 = 4_294_967_296

/** Creates a generator (Mulberry32) that gives the same sequence on every machine. */
export function createSeededRandom(seed: number): Random {
  let state = seed >>> 0

  function drawNumber(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / TWO_TO_32
  }

  const drawInteger = (below: number) => Math.floor(drawNumber() * below)
  return {
    pickInt: drawInteger,
    drawChance: (probability) => drawNumber() < probability,
    pick: <T>(items: readonly T[]) => {
      const item = items[drawInteger(items.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    createBytes: (count) => Buffer.from(Array.from({ length: count }, () => drawInteger(256))),
  }
}
