const FIRST_SLOTS = 1 << 12
const EMPTY = -1
const REMOVED = -2

export interface Hash {
  high: number
  low: number
}

/** Returns two FNV-1a hashes of 32 bits, computed with different initial values. */
export function computeHash(text: string, start: number): Hash {
  let high = (0x811c9dc5 ^ start) >>> 0
  let low = (0x01000193 ^ Math.imul(start, 0x9e3779b1)) >>> 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x85ebca6b)
    low ^= low >>> 13
  }
  return { high: high >>> 0, low: low >>> 0 }
}

/** Creates a hash table that maps hashes to offsets, with linear probing. */
export function createHashIndex() {
  let slots = FIRST_SLOTS
  let highs = new Uint32Array(slots)
  let lows = new Uint32Array(slots)
  let offsets = new Float64Array(slots).fill(EMPTY)
  let used = 0
  let size = 0

  function place({ high, low }: Hash, offset: number): void {
    let slot = low & (slots - 1)
    while (offsets[slot] !== EMPTY) slot = (slot + 1) & (slots - 1)
    highs[slot] = high
    lows[slot] = low
    offsets[slot] = offset
  }

  function growTable(): void {
    const old = { slots, highs, lows, offsets }
    slots *= 2
    highs = new Uint32Array(slots)
    lows = new Uint32Array(slots)
    offsets = new Float64Array(slots).fill(EMPTY)
    used = size
    for (let slot = 0; slot < old.slots; slot += 1) {
      const offset = old.offsets[slot] ?? EMPTY
      if (offset >= 0) place({ high: old.highs[slot] ?? 0, low: old.lows[slot] ?? 0 }, offset)
    }
  }

  return {
    getSize: () => size,
    find: ({ high, low }: Hash, isSame: (offset: number) => boolean): number => {
      for (let slot = low & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
        const offset = offsets[slot] ?? EMPTY
        if (offset === EMPTY) return -1
        if (offset < 0 || highs[slot] !== high || lows[slot] !== low) continue
        if (isSame(offset)) return slot
      }
    },
    add: (hash: Hash, offset: number) => {
      if (used * 4 >= slots * 3) growTable()
      place(hash, offset)
      used += 1
      size += 1
    },
    move: (slot: number, offset: number) => {
      offsets[slot] = offset
    },
    remove: (slot: number) => {
      offsets[slot] = REMOVED
      size -= 1
    },
    getOffset: (slot: number) => offsets[slot] ?? EMPTY,
    *listSlots() {
      for (let slot = 0; slot < slots; slot += 1) if ((offsets[slot] ?? EMPTY) >= 0) yield slot
    },
  }
}
