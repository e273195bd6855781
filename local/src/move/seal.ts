import { createCipheriv, createDecipheriv, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** The version of the format of an archive: its first line, its encryption and its parts. */
export const FORMAT = 1
const MAGIC = 'cairn-export'
const FIRST_LINE_BYTES_MAX = 32
const SALT_BYTES = 32
/** A value that only the right passphrase gives. It tells a wrong passphrase from damage. */
const PROOF_BYTES = 16
const KEY_BYTES = 32
const TAG_BYTES = 16
const NONCE_BYTES = 12
export const CHUNK_BYTES = 1024 ** 2
/** The cost of one try of a passphrase: 128 MB and about half a second. */
const COST = 2 ** 17
const SCRYPT = { r: 8, p: 1, maxmem: 256 * 1024 ** 2 }
const DAMAGED = 'it is damaged or not complete'

/**
 * Encrypts a stream with a passphrase: AES-256-GCM in chunks, with a key that scrypt makes from the
 * passphrase and a new salt. The nonce of a chunk is its number and whether it is the last, so that
 * chunks cannot be removed, repeated or put into another order. Only tests give a lower cost.
 */
export async function* seal(
  source: AsyncIterable<Buffer>,
  passphrase: string,
  cost = COST,
): AsyncGenerator<Buffer> {
  const line = Buffer.from(`${MAGIC} ${FORMAT}\n`)
  const salt = randomBytes(SALT_BYTES)
  const { key, proof } = await deriveKey(passphrase, { salt, cost })
  const header = Buffer.concat([line, salt, proof])
  yield header
  let number = 0
  for await (const { chunk, isLast } of cutIntoChunks(source, CHUNK_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', key, createNonce({ number, isLast }))
    cipher.setAAD(header)
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
    number += 1
  }
}

/**
 * Decrypts what `seal` has written. Yields a chunk only after its tag was checked. Throws if the
 * passphrase is wrong, or if a byte was changed or is missing. A caller that must not use a part of
 * a damaged stream reads the stream twice.
 */
export async function* unseal(
  source: AsyncIterable<Buffer>,
  passphrase: string,
  cost = COST,
): AsyncGenerator<Buffer> {
  const { header, salt, proof, rest } = await readHeader(source)
  const derived = await deriveKey(passphrase, { salt, cost })
  if (!timingSafeEqual(derived.proof, proof)) throw new Error('the passphrase is wrong')
  let number = 0
  for await (const { chunk, isLast } of cutIntoChunks(rest, CHUNK_BYTES + TAG_BYTES)) {
    const nonce = createNonce({ number, isLast })
    yield openChunk(chunk, { key: derived.key, nonce, header })
    number += 1
  }
}

function openChunk(
  chunk: Buffer,
  { key, nonce, header }: { key: Buffer; nonce: Buffer; header: Buffer },
): Buffer {
  const end = chunk.length - TAG_BYTES
  if (end < 0) throw new Error(DAMAGED)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(header)
  decipher.setAuthTag(chunk.subarray(end))
  const plain = decipher.update(chunk.subarray(0, end))
  try {
    decipher.final()
  } catch (error) {
    throw new Error(DAMAGED, { cause: error })
  }
  return plain
}

/** The key is new for each archive, so a nonce that only counts is never used twice. */
function createNonce({ number, isLast }: { number: number; isLast: boolean }): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeBigUInt64BE(BigInt(number))
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0
  return nonce
}

function deriveKey(
  passphrase: string,
  { salt, cost }: { salt: Buffer; cost: number },
): Promise<{ key: Buffer; proof: Buffer }> {
  const options = { ...SCRYPT, N: cost }
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, KEY_BYTES + PROOF_BYTES, options, (error, bytes) => {
      if (error !== null) reject(error)
      else resolve({ key: bytes.subarray(0, KEY_BYTES), proof: bytes.subarray(KEY_BYTES) })
    })
  })
}

/** Reads the first line, the salt and the proof. Throws if this version cannot read the format. */
async function readHeader(source: AsyncIterable<Buffer>): Promise<{
  header: Buffer
  salt: Buffer
  proof: Buffer
  rest: AsyncIterable<Buffer>
}> {
  const iterator = source[Symbol.asyncIterator]()
  let read: Buffer = Buffer.alloc(0)
  while (read.length < FIRST_LINE_BYTES_MAX + SALT_BYTES + PROOF_BYTES) {
    const next = await iterator.next()
    if (next.done === true) break
    read = Buffer.concat([read, next.value])
  }
  const lineEnd = read.subarray(0, FIRST_LINE_BYTES_MAX).indexOf('\n') + 1
  requireFormat(read.toString('latin1', 0, lineEnd))
  const [saltEnd, headerEnd] = [lineEnd + SALT_BYTES, lineEnd + SALT_BYTES + PROOF_BYTES]
  if (read.length < headerEnd) throw new Error(DAMAGED)
  async function* readRest() {
    yield read.subarray(headerEnd)
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return {
    header: read.subarray(0, headerEnd),
    salt: read.subarray(lineEnd, saltEnd),
    proof: read.subarray(saltEnd, headerEnd),
    rest: readRest(),
  }
}

function requireFormat(line: string): void {
  const [, format] = new RegExp(`^${MAGIC} (\\d{1,9})\n$`).exec(line) ?? []
  if (format === undefined) throw new Error('it is not an archive of npm run export')
  if (format === String(FORMAT)) return
  throw new Error(
    `it has format ${format}, and this version reads format ${FORMAT}: use the version of Cairn that wrote it`,
  )
}

/** Cuts a stream into chunks of this size. The last chunk can be shorter, and it can be empty. */
async function* cutIntoChunks(
  source: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ chunk: Buffer; isLast: boolean }> {
  let waiting: Buffer[] = []
  let bytes = 0
  for await (const block of source) {
    waiting.push(block)
    bytes += block.length
    if (bytes <= size) continue
    const joined = Buffer.concat(waiting)
    let at = 0
    for (; joined.length - at > size; at += size) {
      yield { chunk: joined.subarray(at, at + size), isLast: false }
    }
    waiting = [joined.subarray(at)]
    bytes = joined.length - at
  }
  yield { chunk: Buffer.concat(waiting), isLast: true }
}
