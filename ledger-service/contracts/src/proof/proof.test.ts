import { createHash, type createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { sha256 } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { concatBytes, encodeUtf8, toBase64 } from './bytes.ts'
import { computeKeyId, openCheckpoint, parseVerifierKey } from './checkpoint.ts'
import { isSignedBy } from './ed25519.ts'
import { hashLeaf, hashNode, isConsistent, isIncluded } from './merkle.ts'
import { formatReceipt, verifyReceipt } from './receipt.ts'

const bytes = fc.uint8Array({ maxLength: 400 })

test('leaf and node hashes equal those of Node.js and differ from each other', () => {
  const hashWithNodeCrypto = (...parts: readonly Uint8Array[]) =>
    new Uint8Array(
      createHash('sha256')
        .update(concatBytes(...parts))
        .digest(),
    )
  fc.assert(
    fc.property(bytes, bytes, (left, right) => {
      expect(hashLeaf(left)).toEqual(hashWithNodeCrypto(Uint8Array.of(0), left))
      expect(hashNode(left, right)).toEqual(hashWithNodeCrypto(Uint8Array.of(1), left, right))
    }),
  )
})

describe('a tree', () => {
  const leaves = Array.from({ length: 70 }, (_, index) => hashLeaf(encodeUtf8(`event ${index}`)))

  test('proves every leaf under every size, and no other leaf, place or size', () => {
    for (let size = 1; size <= leaves.length; size += 1) {
      const root = computeHead(leaves.slice(0, size))
      for (let index = 0; index < size; index += 1) {
        const leaf = leaves[index] ?? root
        const path = computeInclusion(index, leaves.slice(0, size))
        const claim = { leaf, index: BigInt(index), size: BigInt(size), root, path }
        expect(isIncluded(claim)).toBe(true)
        expect(isIncluded({ ...claim, index: claim.index + 1n })).toBe(false)
        expect(isIncluded({ ...claim, leaf: hashLeaf(encodeUtf8('another')) })).toBe(false)
        expect(isIncluded({ ...claim, path: [...path, leaf] })).toBe(false)
      }
    }
  })

  test('proves that every size is a prefix of every larger one, and no other root', () => {
    for (let size = 1; size <= leaves.length; size += 1) {
      for (let oldSize = 1; oldSize <= size; oldSize += 1) {
        const tree = leaves.slice(0, size)
        const claim = {
          oldSize: BigInt(oldSize),
          oldRoot: computeHead(leaves.slice(0, oldSize)),
          size: BigInt(size),
          root: computeHead(tree),
          path: oldSize === size ? [] : computeSubproof(oldSize, tree, true),
        }
        expect(isConsistent(claim)).toBe(true)
        const other = hashLeaf(encodeUtf8('another'))
        expect(isConsistent({ ...claim, oldRoot: other })).toBe(false)
        expect(isConsistent({ ...claim, root: other })).toBe(false)
      }
    }
  })
})

test('the example note of c2sp.org/signed-note has the key id and signature it shows', async () => {
  const key = parseVerifierKey(
    'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
  )
  const signature = Buffer.from(
    'Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=',
    'base64',
  )
  expect(signature.subarray(0, 4).toString('hex')).toBe(key.id)
  const message = encodeUtf8('This is an example message.\n')
  const signed = { publicKey: key.publicKey, message, signature: signature.subarray(4) }
  expect(await isSignedBy(signed)).toBe(true)
})

describe('a receipt', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const origin = 'cairn.example/ledger/1'
  const raw = extractRawKey(publicKey)
  const key = { name: origin, id: computeKeyId(origin, raw), publicKey: raw }
  const events = Array.from({ length: 5 }, (_, seq) =>
    encodeUtf8(JSON.stringify({ amountMinor: '12500', seq: String(seq), type: 'DepositApproved' })),
  )

  function createReceipt(seq: number, event = events[seq] ?? encodeUtf8('')): string {
    const tree = events.map(hashLeaf)
    const text = `${origin}\n${tree.length}\n${toBase64(computeHead(tree))}\n`
    const id = Buffer.from(key.id, 'hex')
    const signed = concatBytes(id, new Uint8Array(sign(null, encodeUtf8(text), privateKey)))
    const checkpoint = `${text}\n\u2014 ${origin} ${toBase64(signed)}\n`
    return formatReceipt({
      event,
      index: BigInt(seq),
      path: computeInclusion(seq, tree),
      checkpoint,
    })
  }

  test('verifies with the key alone', async () => {
    const { event, checkpoint } = await verifyReceipt(createReceipt(3), [key])
    expect(event).toMatchObject({ amountMinor: '12500', seq: '3' })
    expect(checkpoint.size).toBe(5n)
  })

  test('changed by one cent, moved, cut or signed by another is refused with the reason', async () => {
    const cent = encodeUtf8('{"amountMinor":"12501","seq":"3","type":"DepositApproved"}')
    await expect(verifyReceipt(createReceipt(3, cent), [key])).rejects.toThrow(
      'its content or its proof was changed',
    )
    const moved = createReceipt(3).replace('index 3', 'index 2')
    await expect(verifyReceipt(moved, [key])).rejects.toThrow('not event 2 of the signed ledger')
    const beyond = createReceipt(3).replace('index 3', 'index 5')
    await expect(verifyReceipt(beyond, [key])).rejects.toThrow('not among the 5 events')
    const grown = createReceipt(3).replace(`${origin}\n5\n`, `${origin}\n6\n`)
    await expect(verifyReceipt(grown, [key])).rejects.toThrow('does not match the checkpoint')
    const other = { ...key, name: 'other.example' }
    await expect(verifyReceipt(createReceipt(3), [other])).rejects.toThrow('no key you trust')
    for (const cut of ['', 'c2sp.org/tlog-proof@v1', createReceipt(3).slice(0, -3)]) {
      await expect(verifyReceipt(cut, [key])).rejects.toMatchObject({ name: 'ProofError' })
    }
  })
})

describe('a checkpoint of one log signed by the key of another', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = extractRawKey(publicKey)
  const createKey = (name: string) => ({ name, id: computeKeyId(name, raw), publicKey: raw })
  const [own, foreign] = [createKey('own.example/ledger/1'), createKey('other.example/ledger/1')]

  function signWithKeys(...signers: readonly (typeof own)[]): string {
    const text = `${own.name}\n1\n${toBase64(hashLeaf(encodeUtf8('event')))}\n`
    const signature = new Uint8Array(sign(null, encodeUtf8(text), privateKey))
    const lines = signers.map(({ name, id }) => {
      const line = toBase64(concatBytes(Buffer.from(id, 'hex'), signature))
      return `\u2014 ${name} ${line}\n`
    })
    return `${text}\n${lines.join('')}`
  }

  test('is refused, although the key is trusted and the signature is valid', async () => {
    await expect(openCheckpoint(signWithKeys(foreign), [own, foreign])).rejects.toThrow(
      'the checkpoint belongs to the log own.example/ledger/1, but its signing key belongs to ' +
        'other.example/ledger/1',
    )
  })

  test('is accepted once the key of its own log has signed it as well', async () => {
    const both = signWithKeys(foreign, own)
    expect((await openCheckpoint(both, [own, foreign])).origin).toBe(own.name)
    await expect(openCheckpoint(both, [foreign])).rejects.toThrow('its signing key belongs to')
  })
})

test('a verifier key with a wrong id is refused', () => {
  const wrong = 'example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'
  expect(() => parseVerifierKey(wrong)).toThrow('contains a wrong id')
  expect(() => parseVerifierKey('example.com/foo+530d903a+AQ==')).toThrow('not the verifier key')
})

test('a checkpoint without a signature is refused', async () => {
  await expect(openCheckpoint('a\n1\nb\n', [])).rejects.toThrow('not a signed note')
})

// These functions follow the recursive definitions of RFC 6962 sections 2.1, 2.1.1 and 2.1.2.
function computeHead(leaves: readonly Uint8Array[]): Uint8Array {
  const [only] = leaves
  if (only === undefined) return sha256(encodeUtf8(''))
  if (leaves.length === 1) return only
  const k = computeSplit(leaves.length)
  return hashNode(computeHead(leaves.slice(0, k)), computeHead(leaves.slice(k)))
}

function computeInclusion(m: number, leaves: readonly Uint8Array[]): Uint8Array[] {
  if (leaves.length <= 1) return []
  const k = computeSplit(leaves.length)
  return m < k
    ? [...computeInclusion(m, leaves.slice(0, k)), computeHead(leaves.slice(k))]
    : [...computeInclusion(m - k, leaves.slice(k)), computeHead(leaves.slice(0, k))]
}

function computeSubproof(m: number, leaves: readonly Uint8Array[], isWhole: boolean): Uint8Array[] {
  if (m === leaves.length) return isWhole ? [] : [computeHead(leaves)]
  const k = computeSplit(leaves.length)
  return m <= k
    ? [...computeSubproof(m, leaves.slice(0, k), isWhole), computeHead(leaves.slice(k))]
    : [...computeSubproof(m - k, leaves.slice(k), false), computeHead(leaves.slice(0, k))]
}

function computeSplit(count: number): number {
  let k = 1
  while (k * 2 < count) k *= 2
  return k
}

function extractRawKey(key: ReturnType<typeof createPublicKey>): Uint8Array {
  return new Uint8Array(key.export({ type: 'spki', format: 'der' })).slice(-32)
}
