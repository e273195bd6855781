import { createId, type Id } from '@cairn/ledger-contracts'

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_CHARACTERS = 10

export interface SeededRandom {
  /** Returns an integer from `min` to `max`, both included. */
  between(min: number, max: number): number
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  /** Returns an id in the format of `createId`, but the same in every run. */
  id(atMs: number): Id
}

/**
 * Creates a generator (mulberry32) that gives the same sequence on every platform, so that the demo
 * always has the same data.
 */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const drawNumber = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const drawBetween = (min: number, max: number) => min + (drawNumber() % (max - min + 1))
  return {
    between: drawBetween,
    pick: (items) => items[drawBetween(0, items.length - 1)] ?? items[0],
    id: (atMs) => {
      const tail = Array.from({ length: 10 }, () => CROCKFORD.charAt(drawBetween(0, 31)))
      return createId(atMs).slice(0, TIME_CHARACTERS) + tail.join('')
    },
  }
}
