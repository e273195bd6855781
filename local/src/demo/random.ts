import { type Id, newId } from '@cairn/ledger-contracts'

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_CHARACTERS = 10

export interface SeededRandom {
  /** Returns an integer from `min` to `max`, both included. */
  between(min: number, max: number): number
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  /** Returns an id in the format of `newId`, but the same in every run. */
  id(atMs: number): Id
}

/** mulberry32: small, fast and the same on every platform, so that the demo is reproducible. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const between = (min: number, max: number) => min + (next() % (max - min + 1))
  return {
    between,
    pick: (items) => items[between(0, items.length - 1)] ?? items[0],
    id: (atMs) => {
      const tail = Array.from({ length: 10 }, () => CROCKFORD.charAt(between(0, 31)))
      return newId(atMs).slice(0, TIME_CHARACTERS) + tail.join('')
    },
  }
}
