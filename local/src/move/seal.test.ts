import { expect, test } from 'vitest'
import { CHUNK_BYTES, seal, unseal } from './seal.ts'

/** The cost of the key. A test tries many passphrases, so each must be cheap. */
const COST = 2
const PASSPHRASE = 'correct horse battery staple'
const HEADER_BYTES = 'cairn-export 1\n'.length + 48
const CONTENT = Buffer.alloc(2 * CHUNK_BYTES + 5, 'cairn')
const SEALED_CHUNK_BYTES = CHUNK_BYTES + 16

async function* toStream(...blocks: Buffer[]) {
  yield* blocks
}

async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const blocks: Buffer[] = []
  for await (const block of source) blocks.push(block)
  return Buffer.concat(blocks)
}

const sealAll = (content: Buffer) => collect(seal(toStream(content), PASSPHRASE, COST))
const unsealAll = (sealed: Buffer, passphrase = PASSPHRASE) =>
  collect(unseal(toStream(sealed), passphrase, COST))

const sealed = await sealAll(CONTENT)

test.each([0, 1, CHUNK_BYTES, 2 * CHUNK_BYTES + 5])(
  '%i bytes are the same afterwards',
  async (size) => {
    const content = CONTENT.subarray(0, size)
    expect((await unsealAll(await sealAll(content))).equals(content)).toBe(true)
  },
)

test('the size of the blocks of a stream does not matter', async () => {
  const blocks = Array.from({ length: Math.ceil(sealed.length / 60_000) }, (_, at) =>
    sealed.subarray(at * 60_000, (at + 1) * 60_000),
  )
  const content = await collect(unseal(toStream(...blocks), PASSPHRASE, COST))
  expect(content.equals(CONTENT)).toBe(true)
})

test('the content cannot be read without the passphrase', async () => {
  expect(sealed.includes('cairncairn')).toBe(false)
  await expect(unsealAll(sealed, `${PASSPHRASE}.`)).rejects.toThrow('the passphrase is wrong')
})

test.each([
  ['in the salt', 20],
  ['in the first chunk', HEADER_BYTES],
  ['in the second chunk', HEADER_BYTES + SEALED_CHUNK_BYTES + 9],
  ['in the last tag', -1],
])('a changed byte %s is refused', async (_, place) => {
  const changed = Buffer.from(sealed)
  const at = place < 0 ? changed.length + place : place
  changed[at] = (changed[at] ?? 0) ^ 1
  await expect(unsealAll(changed)).rejects.toThrow(/damaged|passphrase is wrong/)
})

test('chunks that are missing, repeated or in another order are refused', async () => {
  const header = sealed.subarray(0, HEADER_BYTES)
  const cut = (from: number, to: number) =>
    sealed.subarray(
      HEADER_BYTES + from * SEALED_CHUNK_BYTES,
      HEADER_BYTES + to * SEALED_CHUNK_BYTES,
    )
  const [first, second, last] = [cut(0, 1), cut(1, 2), cut(2, 3)]
  const join = (...chunks: Buffer[]) => Buffer.concat([header, ...chunks])
  // The same chunks in their order are accepted, so the cuts are at the right places.
  expect((await unsealAll(join(first, second, last))).equals(CONTENT)).toBe(true)
  for (const wrong of [
    join(),
    join(first),
    join(first, second),
    join(first, second, last.subarray(0, -1)),
    join(first, last),
    join(second, first, last),
    join(first, second, second, last),
    join(first, second, last, last),
  ]) {
    await expect(unsealAll(wrong)).rejects.toThrow('it is damaged or not complete')
  }
})

test('chunks of another archive with the same passphrase are refused', async () => {
  const other = await sealAll(CONTENT)
  const mixed = Buffer.concat([sealed.subarray(0, HEADER_BYTES), other.subarray(HEADER_BYTES)])
  await expect(unsealAll(mixed)).rejects.toThrow('it is damaged or not complete')
})

test.each([
  ['PK\x03\x04 another file', 'it is not an archive of npm run export'],
  ['', 'it is not an archive of npm run export'],
  ['cairn-export 1\nshort', 'it is damaged or not complete'],
  [`cairn-export 2\n${'x'.repeat(99)}`, 'it has format 2, and this version reads format 1'],
])('the file %j is refused', async (text, message) => {
  await expect(unsealAll(Buffer.from(text))).rejects.toThrow(message)
})
