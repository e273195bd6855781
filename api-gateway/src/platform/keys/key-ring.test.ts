import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { createKeyRing } from './key-ring.ts'
import { createFactorSeal, createOutboxSeal } from './seal.ts'

const OLD = 'the old secret of a test'
const NEW = 'the new secret of a test'
const CODE = { code: '1234' }

let file: string
beforeEach(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'cairn-keys-')), 'key')
})

async function createKeyRingFromText(text: string) {
  await writeFile(file, text)
  return createKeyRing({ file })
}
/** Waits until a key ring may read the file again for an unknown key. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 60))

describe('a key ring', () => {
  test('signs and seals with the first secret, and accepts both', async () => {
    const before = createKeyRing({ value: OLD })
    const during = createKeyRing({ value: `${NEW},${OLD}` })
    const after = createKeyRing({ value: NEW })
    expect(during.verify('text', before.sign('text'))).toBe(true)
    expect(during.sign('text')).toEqual(after.sign('text'))
    const sealed = createOutboxSeal(before).seal(CODE)
    expect(createOutboxSeal(during).open(sealed)).toEqual(CODE)
    expect(createOutboxSeal(during).isCurrent(sealed)).toBe(false)
    // Sabotaged twin: if the old secret is discarded at once, the key ring rejects old signatures
    // and cannot open old sealed data.
    expect(after.verify('text', before.sign('text'))).toBe(false)
    expect(() => createOutboxSeal(after).open(sealed)).toThrow('the key of sealed data is unknown')
  })

  test('knows a secret that another process already uses', async () => {
    const ring = await createKeyRingFromText(OLD)
    const other = await createKeyRingFromText(`${NEW},${OLD}`)
    const sealed = createFactorSeal(other).seal(CODE)
    await pause()
    expect(createFactorSeal(ring).open(sealed)).toEqual(CODE)
    expect(ring.verify('text', other.sign('text'))).toBe(true)
  })

  test('refuses a signature of another secret or text, and sealed bytes that were changed', () => {
    const ring = createKeyRing({ value: OLD })
    expect(ring.verify('text', createKeyRing({ value: NEW }).sign('text'))).toBe(false)
    expect(ring.verify('other', ring.sign('text'))).toBe(false)
    expect(ring.verify('text', Buffer.from(''))).toBe(false)
    const sealed = createOutboxSeal(ring).seal(CODE)
    expect(sealed.includes('1234')).toBe(false)
    expect(() => createFactorSeal(ring).open(sealed)).toThrow()
    sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1
    expect(() => createOutboxSeal(ring).open(sealed)).toThrow()
  })

  test.each(['short', `${OLD},short`, `${OLD},${NEW},${OLD}`, ''])('refuses "%s"', (text) => {
    expect(() => createKeyRing({ value: text })).toThrow(/one secret of at least 16 characters/)
  })
})
