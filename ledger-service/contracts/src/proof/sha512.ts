/** SHA-512 (FIPS 180-4) on bigints. It is slow, and used only for single signatures. */
const MASK = (1n << 64n) - 1n
const PRIMES = firstPrimes(80)
const ROUND = PRIMES.map((prime) => root(prime << 192n, 3n) & MASK)
const START = PRIMES.slice(0, 8).map((prime) => root(prime << 128n, 2n) & MASK)

export function sha512(message: Uint8Array): Uint8Array {
  let state = START
  const padded = pad(message)
  const view = new DataView(padded.buffer)
  for (let at = 0; at < padded.length; at += 128) state = compress(state, schedule(view, at))
  const digest = new DataView(new ArrayBuffer(64))
  state.forEach((word, index) => {
    digest.setBigUint64(index * 8, word)
  })
  return new Uint8Array(digest.buffer)
}

function schedule(view: DataView, at: number): bigint[] {
  const words = Array.from({ length: 16 }, (_, t) => view.getBigUint64(at + t * 8))
  for (let t = 16; t < 80; t += 1) {
    const w15 = words[t - 15] ?? 0n
    const w2 = words[t - 2] ?? 0n
    const s0 = rotate(w15, 1n) ^ rotate(w15, 8n) ^ (w15 >> 7n)
    const s1 = rotate(w2, 19n) ^ rotate(w2, 61n) ^ (w2 >> 6n)
    words.push(((words[t - 16] ?? 0n) + s0 + (words[t - 7] ?? 0n) + s1) & MASK)
  }
  return words
}

function compress(state: readonly bigint[], words: readonly bigint[]): bigint[] {
  let [a = 0n, b = 0n, c = 0n, d = 0n, e = 0n, f = 0n, g = 0n, h = 0n] = state
  words.forEach((word, t) => {
    const s1 = rotate(e, 14n) ^ rotate(e, 18n) ^ rotate(e, 41n)
    const t1 = h + s1 + ((e & f) ^ (~e & MASK & g)) + (ROUND[t] ?? 0n) + word
    const s0 = rotate(a, 28n) ^ rotate(a, 34n) ^ rotate(a, 39n)
    const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c))
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) & MASK, c, b, a, (t1 + t2) & MASK]
  })
  return [a, b, c, d, e, f, g, h].map((word, index) => (word + (state[index] ?? 0n)) & MASK)
}

function pad(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array((((message.length + 16) >> 7) + 1) << 7)
  padded.set(message)
  padded[message.length] = 0x80
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(message.length) * 8n)
  return padded
}

function rotate(word: bigint, by: bigint): bigint {
  return ((word >> by) | (word << (64n - by))) & MASK
}

/** Returns the integer part of the n-th root, by bisection. */
function root(value: bigint, n: bigint): bigint {
  let low = 0n
  let high = 1n << 80n
  while (high - low > 1n) {
    const middle = (low + high) >> 1n
    if (middle ** n > value) high = middle
    else low = middle
  }
  return low
}

function firstPrimes(count: number): bigint[] {
  const primes: bigint[] = []
  for (let n = 2n; primes.length < count; n += 1n) {
    if (primes.every((prime) => n % prime !== 0n)) primes.push(n)
  }
  return primes
}
