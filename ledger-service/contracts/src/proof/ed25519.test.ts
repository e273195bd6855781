import {
  createHash,
  createPrivateKey,
  createPublicKey,
  sign as signByPlatform,
  verify as verifyByPlatform,
} from 'node:crypto'
import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { encodeUtf8, toBase64 } from './bytes.ts'
import { computeKeyId, parseVerifierKey } from './checkpoint.ts'
import { isPrimeOrderPoint, isSignedBy } from './ed25519.ts'

interface Vector {
  readonly name: string
  readonly publicKey: Uint8Array
  readonly message: Uint8Array
  readonly signature: Uint8Array
}

const { Point } = ed25519
type Point = InstanceType<typeof Point>

const P = Point.Fp.ORDER
const L = Point.Fn.ORDER
const SIGN_BIT = 2n ** 255n
const SECRET = 0x1234567890abcdef1234567890abcdefn
const NONCE = 0xfedcba0987654321fedcba0987654321n
const KEY = Point.BASE.multiply(SECRET)
const R = Point.BASE.multiply(NONCE)
/** The eight points of the curve whose order divides eight. */
const SMALL = ED25519_TORSION_SUBGROUP.map((hex) => Point.fromHex(hex))
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The test vectors TEST 1, TEST 2, TEST 3 and TEST SHA(abc) of RFC 8032 section 7.1. */
const RFC_VECTORS: readonly (readonly [key: string, message: string, signature: string])[] = [
  [
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
  [
    'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
    'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
    'dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704',
  ],
]

const decodeHex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))
const EMPTY = new Uint8Array(0)

const GENUINE: readonly Vector[] = [
  ...RFC_VECTORS.map(([publicKey, message, signature], index) => ({
    name: `vector ${index + 1} of RFC 8032`,
    publicKey: decodeHex(publicKey),
    message: decodeHex(message),
    signature: decodeHex(signature),
  })),
  signWithPlatform('an empty message', EMPTY),
  signWithPlatform('a message of 1 MB', new Uint8Array(1_000_000).fill(7)),
  { ...sign({ message: encodeUtf8('event') }), name: 'a signature made here' },
]

const FORGED: readonly Vector[] = [
  ...createSignaturesWithWrongS(),
  ...SMALL.flatMap(createSmallOrderForgeries),
  ...SMALL.slice(1).flatMap(createMixedOrderForgeries),
  ...listForbiddenEncodings(),
  ...listWrongLengths(),
  ...listFlippedBits(),
]

const withoutEd25519 = {
  importKey: () => Promise.reject(new DOMException('unknown algorithm', 'NotSupportedError')),
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe.each([
  ['WebCrypto', globalThis.crypto],
  ['a WebCrypto without Ed25519', { subtle: withoutEd25519 }],
  ['no WebCrypto', undefined],
])('with %s', (_, platform) => {
  async function listAcceptedVectors(vectors: readonly Vector[]): Promise<readonly string[]> {
    vi.stubGlobal('crypto', platform)
    const accepted: string[] = []
    for (const vector of vectors) {
      const isSound = isPrimeOrderPoint(vector.publicKey)
      if (isSound && (await isSignedBy(vector))) accepted.push(vector.name)
    }
    return accepted
  }

  test('every genuine signature is accepted', async () => {
    expect(await listAcceptedVectors(GENUINE)).toEqual(GENUINE.map(({ name }) => name))
  })

  test('no forged signature is accepted', async () => {
    expect(await listAcceptedVectors(FORGED)).toEqual([])
  })
})

test('noble refuses a key plus a point of small order where the platform accepts it', async () => {
  vi.stubGlobal('crypto', undefined)
  for (const vector of SMALL.slice(1).flatMap(createMixedOrderForgeries)) {
    expect(await isSignedBy(vector), vector.name).toBe(false)
  }
})

test('the forgeries would deceive the platform or noble on their own', () => {
  const listAcceptedForgeries = (verify: (vector: Vector) => boolean) =>
    FORGED.filter(verify).map(({ name }) => name.replace(/ \d$/, ''))
  const platform = new Set(listAcceptedForgeries(isAcceptedByPlatform))
  expect([...platform]).toEqual([
    'the key plus small order, hidden by the hash,',
    'the key and R plus small order',
  ])
  expect(new Set(listAcceptedForgeries(isAcceptedByNoble))).toEqual(
    new Set(['R is of small order', 'R plus small order', 'the key plus small order', ...platform]),
  )
})

test('a verifier key that is not of prime order is refused', () => {
  const formatVerifierKey = (publicKey: Uint8Array) =>
    `log+${computeKeyId('log', publicKey)}+${toBase64(Uint8Array.of(1, ...publicKey))}`
  expect(parseVerifierKey(formatVerifierKey(KEY.toBytes()))).toMatchObject({
    publicKey: KEY.toBytes(),
  })
  const mixed = SMALL.slice(1).map((small) => KEY.add(small))
  const keys = [...SMALL, ...mixed].map((point) => point.toBytes())
  for (const key of [...keys, encodeInteger(P + 3n), new Uint8Array(32).fill(255)]) {
    expect(() => parseVerifierKey(formatVerifierKey(key))).toThrow('not a valid Ed25519 key')
  }
})

function createSignaturesWithWrongS(): readonly Vector[] {
  const genuine = sign({})
  const s = decodeInteger(genuine.signature.slice(32))
  const values = { 'S + L': s + L, 'S + 7 L': s + 7n * L, L, 'S and 2^255': s + SIGN_BIT }
  return Object.entries(values).map(([name, value]) => ({
    ...genuine,
    name: `S is ${name}`,
    signature: joinBytes(genuine.signature.slice(0, 32), encodeInteger(value)),
  }))
}

function createSmallOrderForgeries(small: Point, index: number): readonly Vector[] {
  return [
    forgeVector(`the key is of small order ${index}`, { key: small, r: R, s: NONCE }),
    forgeVector(`the key and R are of small order ${index}`, { key: small, r: small, s: 0n }),
    { ...sign({ nonce: 0n, r: small }), name: `R is of small order ${index}` },
  ]
}

/**
 * Lists signatures whose key or R has mixed order. Signatures named `hidden` satisfy the
 * verification equation. All other signatures satisfy the equation only if both its sides are
 * multiplied by eight.
 */
function createMixedOrderForgeries(small: Point, index: number): readonly Vector[] {
  const [key, r] = [KEY.add(small), R.add(small)]
  const addIndex = (text: string) => `${text} ${index + 1}`
  return [
    { ...sign({ r }), name: addIndex('R plus small order') },
    findVector(addIndex('the key plus small order'), (message) => sign({ message, key }), 1n),
    findVector(addIndex('the key plus small order, hidden by the hash,'), (message) =>
      sign({ message, key }),
    ),
    findVector(
      addIndex('the key and R plus small order'),
      (message) => sign({ message, key, r }),
      7n,
    ),
  ]
}

/**
 * Lists encodings that RFC 8032 section 5.1.3 forbids, each with the point that lenient decoders
 * read from it.
 */
function listForbiddenEncodings(): readonly Vector[] {
  const encodings: readonly (readonly [name: string, value: bigint, point: Point])[] = [
    ['y = p', P, Point.fromBytes(encodeInteger(0n))],
    ['y = p, x odd', P + SIGN_BIT, Point.fromBytes(encodeInteger(SIGN_BIT))],
    ['y = p + 1', P + 1n, Point.ZERO],
    ['y = p + 1, x = -0', P + 1n + SIGN_BIT, Point.ZERO],
    ['y = 1, x = -0', 1n + SIGN_BIT, Point.ZERO],
    ['y = -1, x = -0', P - 1n + SIGN_BIT, Point.fromBytes(encodeInteger(P - 1n))],
  ]
  return encodings.flatMap(([name, value, point]) => {
    const bytes = encodeInteger(value)
    const key = { key: point, keyBytes: bytes }
    return [
      forgeVector(`the key is ${name}`, { ...key, r: R, s: NONCE }),
      forgeVector(`the key and R are ${name}`, { ...key, r: point, rBytes: bytes, s: 0n }),
      { ...sign({ nonce: 0n, rBytes: bytes }), name: `R is ${name}` },
    ]
  })
}

function listWrongLengths(): readonly Vector[] {
  const genuine = sign({})
  const { publicKey, signature } = genuine
  const zero = Uint8Array.of(0)
  const keys = [EMPTY, publicKey.slice(0, 31), joinBytes(publicKey, zero)]
  const signatures = [EMPTY, signature.slice(0, 63), joinBytes(signature, zero)]
  return [
    ...keys.map((key) => ({ ...genuine, name: `key of ${key.length} bytes`, publicKey: key })),
    ...signatures.map((bytes) => ({
      ...genuine,
      name: `signature of ${bytes.length} bytes`,
      signature: bytes,
    })),
    ...[0, 255].map((byte) => ({
      ...genuine,
      name: `every byte is ${byte}`,
      publicKey: new Uint8Array(32).fill(byte),
      signature: new Uint8Array(64).fill(byte),
    })),
  ]
}

function listFlippedBits(): readonly Vector[] {
  const genuine = sign({ message: encodeUtf8('event') })
  const parts = ['publicKey', 'message', 'signature'] as const
  return parts.flatMap((part) => {
    const bits = Array.from({ length: genuine[part].length * 8 }, (_, bit) => bit)
    // Selects all bits of every third byte, and the highest bits, which some decoders ignore.
    const chosen = bits.filter((bit) => bit % 24 < 8 || bit % 256 >= 248)
    return chosen.map((bit) => {
      const changed = Uint8Array.from(genuine[part])
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      return { ...genuine, name: `bit ${bit} of the ${part} is flipped`, [part]: changed }
    })
  })
}

/** Signs with the secret of this test. The public key and R can be any points. */
function sign(options: {
  message?: Uint8Array
  nonce?: bigint
  key?: Point
  r?: Point
  rBytes?: Uint8Array
}): Vector {
  const { message = EMPTY, nonce = NONCE, key = KEY, r = R, rBytes = r.toBytes() } = options
  const publicKey = key.toBytes()
  const s = (nonce + computeChallenge(rBytes, publicKey, message) * SECRET) % L
  return { name: '', publicKey, message, signature: joinBytes(rBytes, encodeInteger(s)) }
}

/**
 * Finds a message for which the given S and R are a valid signature. If the key has small order,
 * this needs no secret.
 */
function forgeVector(
  name: string,
  made: { key: Point; keyBytes?: Uint8Array; r: Point; rBytes?: Uint8Array; s: bigint },
): Vector {
  const { key, keyBytes = key.toBytes(), r, rBytes = r.toBytes(), s } = made
  const product = (s === 0n ? Point.ZERO : Point.BASE.multiply(s)).subtract(r)
  const residue = SMALL.findIndex((_, times) => multiplyPoint(key, BigInt(times)).equals(product))
  const signature = joinBytes(rBytes, encodeInteger(s))
  if (residue < 0) throw new Error(`no multiple of the key fits: ${name}`)
  return findVector(
    name,
    (message) => ({ name, publicKey: keyBytes, message, signature }),
    BigInt(residue),
  )
}

/** Returns the first vector whose challenge has this residue modulo eight. */
function findVector(name: string, make: (message: Uint8Array) => Vector, residue = 0n): Vector {
  for (let count = 0; count < 1_000; count += 1) {
    const { publicKey, message, signature } = make(encodeUtf8(`message ${count}`))
    const rBytes = signature.slice(0, 32)
    if (computeChallenge(rBytes, publicKey, message) % 8n === residue) {
      return { name, publicKey, message, signature }
    }
  }
  throw new Error(`no message fits: ${name}`)
}

function multiplyPoint(point: Point, by: bigint): Point {
  return by === 0n ? Point.ZERO : point.multiplyUnsafe(by)
}

function computeChallenge(...parts: readonly Uint8Array[]): bigint {
  return (
    decodeInteger(
      createHash('sha512')
        .update(joinBytes(...parts))
        .digest(),
    ) % L
  )
}

function signWithPlatform(name: string, message: Uint8Array): Vector {
  const der = Buffer.concat([PKCS8, Buffer.alloc(32, 9)])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const signature = new Uint8Array(signByPlatform(null, message, privateKey))
  return { name, publicKey: new Uint8Array(spki).slice(-32), message, signature }
}

function isAcceptedByPlatform({ publicKey, message, signature }: Vector): boolean {
  if (publicKey.length !== 32) return false
  const der = Buffer.concat([SPKI, publicKey])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return verifyByPlatform(null, message, key, signature)
}

function isAcceptedByNoble({ publicKey, message, signature }: Vector): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  return ed25519.verify(signature, message, publicKey, { zip215: false })
}

function decodeInteger(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n)
}

function encodeInteger(value: bigint): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, at) => Number((value >> BigInt(at * 8)) & 255n))
}

function joinBytes(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}
