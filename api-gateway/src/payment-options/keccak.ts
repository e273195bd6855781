const LANES = 25
const RATE_BYTES = 136
const WORD = (1n << 64n) - 1n

/** How far each lane is turned, and the constant of each round: both follow from FIPS 202. */
const TURNS = [
  0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14,
] as const
const ROUNDS = makeRounds()

/** Keccak-256 as Ethereum uses it: SHA3-256 but for the padding, which Node's `crypto` does not have. */
export function keccak256(message: Uint8Array): Buffer {
  const blocks = Math.floor(message.length / RATE_BYTES) + 1
  const padded = Buffer.alloc(blocks * RATE_BYTES)
  padded.set(message)
  padded[message.length] = 0x01
  padded[padded.length - 1] = (padded.at(-1) ?? 0) | 0x80
  let state: bigint[] = Array.from({ length: LANES }, () => 0n)
  for (let at = 0; at < padded.length; at += RATE_BYTES) {
    const start = at
    state = permute(
      state.map((lane, place) =>
        place * 8 < RATE_BYTES ? lane ^ padded.readBigUInt64LE(start + place * 8) : lane,
      ),
    )
  }
  const hash = Buffer.alloc(32)
  for (let place = 0; place < 4; place += 1) hash.writeBigUInt64LE(state[place] ?? 0n, place * 8)
  return hash
}

function permute(before: readonly bigint[]): bigint[] {
  let lanes = [...before]
  for (const constant of ROUNDS) {
    const at = (x: number, y: number) => lanes[(x % 5) + 5 * (y % 5)] ?? 0n
    const columns = [0, 1, 2, 3, 4].map((x) => [0, 1, 2, 3, 4].reduce((c, y) => c ^ at(x, y), 0n))
    const mixed = lanes.map((lane, place) => {
      const x = place % 5
      return lane ^ (columns[(x + 4) % 5] ?? 0n) ^ turn(columns[(x + 1) % 5] ?? 0n, 1)
    })
    const moved: bigint[] = []
    for (const [place, lane] of mixed.entries()) {
      const [x, y] = [place % 5, Math.floor(place / 5)]
      moved[y + 5 * ((2 * x + 3 * y) % 5)] = turn(lane, TURNS[place] ?? 0)
    }
    const of = (x: number, y: number) => moved[(x % 5) + 5 * y] ?? 0n
    lanes = moved.map((lane, place) => {
      const [x, y] = [place % 5, Math.floor(place / 5)]
      return lane ^ (~of(x + 1, y) & WORD & of(x + 2, y))
    })
    lanes[0] = (lanes[0] ?? 0n) ^ constant
  }
  return lanes
}

function turn(lane: bigint, by: number): bigint {
  return ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & WORD
}

/** Bits of a shift register with the polynomial x^8 + x^6 + x^5 + x^4 + 1. */
function makeRounds(): readonly bigint[] {
  let register = 1
  return Array.from({ length: 24 }, () => {
    let constant = 0n
    for (let bit = 0; bit < 7; bit += 1) {
      if ((register & 1) === 1) constant |= 1n << ((1n << BigInt(bit)) - 1n)
      register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1
    }
    return constant
  })
}
