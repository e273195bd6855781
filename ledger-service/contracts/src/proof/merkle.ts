import { sha256 } from '@noble/hashes/sha2.js'
import { areBytesEqual, concatBytes } from './bytes.ts'

const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

/** The hash of a leaf, as RFC 6962 section 2.1 defines it. */
export function hashLeaf(bytes: Uint8Array): Uint8Array {
  return sha256(concatBytes(LEAF, bytes))
}

export function hashNode(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(concatBytes(NODE, left, right))
}

/**
 * True if `leaf` is at `index` in the tree of `size` leaves with this root (RFC 9162 section
 * 2.1.3.2).
 */
export function isIncluded(claim: {
  leaf: Uint8Array
  index: bigint
  size: bigint
  root: Uint8Array
  path: readonly Uint8Array[]
}): boolean {
  const { leaf, index, size, root, path } = claim
  if (index < 0n || index >= size) return false
  let fn = index
  let sn = size - 1n
  let hash = leaf
  for (const sibling of path) {
    if (sn === 0n) return false
    if (isOdd(fn) || fn === sn) {
      hash = hashNode(sibling, hash)
      while (!isOdd(fn) && fn !== 0n) {
        fn >>= 1n
        sn >>= 1n
      }
    } else hash = hashNode(hash, sibling)
    fn >>= 1n
    sn >>= 1n
  }
  return sn === 0n && areBytesEqual(hash, root)
}

/**
 * True if the tree of `oldSize` leaves is a prefix of the tree of `size` leaves (RFC 9162 section
 * 2.1.4.2).
 */
export function isConsistent(claim: {
  oldSize: bigint
  oldRoot: Uint8Array
  size: bigint
  root: Uint8Array
  path: readonly Uint8Array[]
}): boolean {
  const { oldSize, oldRoot, size, root, path } = claim
  if (oldSize < 0n || oldSize > size) return false
  if (oldSize === size) return path.length === 0 && areBytesEqual(oldRoot, root)
  if (oldSize === 0n) return path.length === 0
  const isPowerOfTwo = (oldSize & (oldSize - 1n)) === 0n
  const [first, ...rest] = isPowerOfTwo ? [oldRoot, ...path] : path
  if (first === undefined) return false

  let fn = oldSize - 1n
  let sn = size - 1n
  while (isOdd(fn)) {
    fn >>= 1n
    sn >>= 1n
  }
  let fr = first
  let sr = first
  for (const hash of rest) {
    if (sn === 0n) return false
    if (isOdd(fn) || fn === sn) {
      fr = hashNode(hash, fr)
      sr = hashNode(hash, sr)
      while (!isOdd(fn) && fn !== 0n) {
        fn >>= 1n
        sn >>= 1n
      }
    } else sr = hashNode(sr, hash)
    fn >>= 1n
    sn >>= 1n
  }
  return sn === 0n && areBytesEqual(fr, oldRoot) && areBytesEqual(sr, root)
}

function isOdd(value: bigint): boolean {
  return (value & 1n) === 1n
}
