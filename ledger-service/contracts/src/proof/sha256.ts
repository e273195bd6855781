/**
 * SHA-256 (FIPS 180-4) without an import, so that a receipt can be verified in every JavaScript
 * environment, also on pages without `crypto.subtle`. It must not be used for secret values.
 */
const PRIMES = firstPrimes(64)
const ROUND = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)))
const START = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))

export function sha256(message: Uint8Array): Uint8Array {
  const state = Uint32Array.from(START)
  const padded = pad(message)
  const view = new DataView(padded.buffer)
  const words = new Uint32Array(64)
  for (let at = 0; at < padded.length; at += 64) {
    schedule(words, view, at)
    compress(state, words)
  }
  const digest = new DataView(new ArrayBuffer(32))
  state.forEach((word, index) => {
    digest.setUint32(index * 4, word)
  })
  return new Uint8Array(digest.buffer)
}

function schedule(words: Uint32Array, view: DataView, at: number): void {
  for (let t = 0; t < 16; t += 1) words[t] = view.getUint32(at + t * 4)
  for (let t = 16; t < 64; t += 1) {
    const w15 = word(words, t - 15)
    const w2 = word(words, t - 2)
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3)
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10)
    words[t] = word(words, t - 16) + s0 + word(words, t - 7) + s1
  }
}

function compress(state: Uint32Array, words: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let t = 0; t < 64; t += 1) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const choice = (e & f) ^ (~e & g)
    const t1 = (h + s1 + choice + word(ROUND, t) + word(words, t)) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + s0 + majority) | 0
  }
  const added = [a, b, c, d, e, f, g, h]
  added.forEach((value, index) => {
    state[index] = word(state, index) + value
  })
}

function pad(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array((((message.length + 8) >> 6) + 1) << 6)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n)
  return padded
}

function rotate(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by))
}

function word(words: Uint32Array, index: number): number {
  return words[index] ?? 0
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32)
}

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let n = 2; primes.length < count; n += 1) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  }
  return primes
}
