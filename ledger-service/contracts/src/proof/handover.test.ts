import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { encodeUtf8, toBase64 } from './bytes.ts'
import { computeKeyId, openCheckpoint, parseVerifierKey, type VerifierKey } from './checkpoint.ts'
import {
  formatUnsignedHandover,
  formatVerifierKey,
  getNextOrigin,
  type Handover,
  listKeyTexts,
  openHandover,
  openKeys,
} from './handover.ts'
import { hashLeaf, hashNode } from './merkle.ts'
import { formatReceipt, verifyReceipt } from './receipt.ts'

const ORIGIN = 'cairn.example/ledger/1'
const ROOT = hashLeaf(encodeUtf8('event'))
const AT = '2026-11-25T10:00:00.000Z'

interface Signer {
  key: VerifierKey
  text: string
  privateKey: KeyObject
}

function createSigner(name = ORIGIN): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32))
  const key = { name, id: computeKeyId(name, raw), publicKey: raw }
  return { key, text: formatVerifierKey(key), privateKey }
}

function signCheckpoint({ key, privateKey }: Signer, size: bigint): string {
  const text = `${key.name}\n${size}\n${toBase64(ROOT)}\n`
  const signature = Buffer.concat([
    Buffer.from(key.id, 'hex'),
    sign(null, Buffer.from(text), privateKey),
  ])
  return `${text}\n\u2014 ${key.name} ${signature.toString('base64')}\n`
}

function createHandover(
  from: Signer,
  to: Signer,
  {
    size = 10n,
    lost = null,
    by = from,
  }: Partial<Pick<Handover, 'size' | 'lost'>> & { by?: Signer },
): string {
  const text = formatUnsignedHandover({
    size,
    root: ROOT,
    lost,
    oldKey: from.key,
    newKey: to.key,
  })
  return `${text} ${sign(null, Buffer.from(text), by.privateKey).toString('base64')}`
}

const [first, second, third] = [createSigner(), createSigner(), createSigner()]
const rotation = createHandover(first, second, {})

describe('after a rotation', () => {
  const keys = openKeys([first.text, rotation])

  test('the first key leads to the second one, and both verify what they may sign', async () => {
    for (const [signer, size] of [
      [first, 10n],
      [second, 11n],
    ] as const) {
      const note = signCheckpoint(signer, size)
      expect(await openCheckpoint(note, keys)).toMatchObject({ size, forks: [] })
    }
    expect(listKeyTexts([first.text, rotation])).toEqual([first.text, second.text])
  })

  test('the old key signs no checkpoint of more events', async () => {
    const note = signCheckpoint(first, 11n)
    await expect(openCheckpoint(note, keys)).rejects.toThrow('was replaced after 10 events')
    // Sabotaged twin: if the verifier does not get the handover, it accepts a checkpoint that the
    // replaced key signed after its end.
    expect((await openCheckpoint(note, openKeys([first.text, second.text]))).size).toBe(11n)
  })

  test('a verifier who trusts only the second key needs no handover', async () => {
    const trusting = openKeys([second.text, rotation])
    expect((await openCheckpoint(signCheckpoint(second, 11n), trusting)).size).toBe(11n)
    await expect(openCheckpoint(signCheckpoint(first, 10n), trusting)).rejects.toThrow(
      'no key you trust',
    )
  })
})

describe('a handover', () => {
  test('that its old key did not sign is refused', () => {
    const forged = createHandover(first, third, { by: third })
    expect(() => openKeys([first.text, forged])).toThrow('did not sign the change of the key')
    // Sabotaged twin: a function that does not check the signature of the handover returns the key
    // of the forger.
    expect(listKeyTexts([first.text, forged])).toContain(third.text)
  })

  test('with one changed field is refused', () => {
    expect(openHandover(rotation)).toMatchObject({ size: 10n, lost: null })
    const fields = rotation.split(' ')
    const changed = [
      ['1', '11'],
      ['2', toBase64(hashLeaf(encodeUtf8('other')))],
      ['3', third.text],
      ['4', third.text],
    ] as const
    for (const [place, value] of changed) {
      const line = fields.map((field, at) => (String(at) === place ? value : field)).join(' ')
      expect(() => openHandover(line)).toThrow('did not sign the change of the key')
    }
    expect(() => openHandover(`${rotation} more`)).toThrow('not the change of a signing key')
  })

  test('to a second successor is refused, and a repeated one is not', () => {
    const other = createHandover(first, third, { size: 12n })
    expect(() => openKeys([first.text, rotation, other])).toThrow('two successors')
    expect(openKeys([first.text, rotation, rotation])).toHaveLength(2)
  })

  test('cannot be taken for a checkpoint, and names the log that follows', () => {
    const lost = { size: 20n, root: ROOT, at: AT }
    expect(() => openHandover(createHandover(first, second, { lost }))).toThrow(`${ORIGIN}.2`)
    const renamed = createSigner(`${ORIGIN}.2`)
    expect(() => openHandover(createHandover(first, renamed, {}))).toThrow(`the name ${ORIGIN}`)
    expect(getNextOrigin(`${ORIGIN}.2`)).toBe(`${ORIGIN}.3`)
    expect(getNextOrigin('log.example/v1/12')).toBe('log.example/v1/12.2')
    expect(() => parseVerifierKey(rotation)).toThrow('not the verifier key')
  })
})

describe('after a fork', () => {
  const forked = createSigner(`${ORIGIN}.2`)
  const fork = createHandover(first, forked, { size: 1n, lost: { size: 2n, root: ROOT, at: AT } })
  const keys = openKeys([first.text, fork])
  const events = ['{"seq":"0"}', '{"seq":"1"}'].map(encodeUtf8)

  /** Creates the receipt of event 1, which the fork removed. */
  function createReceipt(): string {
    const [kept = ROOT, lost = ROOT] = events
    const root = hashNode(hashLeaf(kept), hashLeaf(lost))
    const text = `${ORIGIN}\n2\n${toBase64(root)}\n`
    const signature = Buffer.concat([
      Buffer.from(first.key.id, 'hex'),
      sign(null, Buffer.from(text), first.privateKey),
    ])
    const checkpoint = `${text}\n\u2014 ${ORIGIN} ${signature.toString('base64')}\n`
    return formatReceipt({ event: lost, index: 1n, path: [hashLeaf(kept)], checkpoint })
  }

  test('the receipt of a lost event verifies and says that it was lost', async () => {
    const verified = await verifyReceipt(createReceipt(), keys)
    expect(verified).toMatchObject({ index: 1n, lostIn: { size: 1n, at: AT } })
    // Sabotaged twin: if the verifier does not get the fork, it accepts the receipt of a lost
    // event.
    const unaware = await verifyReceipt(createReceipt(), openKeys([first.text]))
    expect(unaware.lostIn).toBeNull()
  })

  test('events that the old key signed up to the fork are in the log, and later events are lost', async () => {
    expect((await openCheckpoint(signCheckpoint(first, 1n), keys)).forks).toEqual([])
    expect((await openCheckpoint(signCheckpoint(first, 2n), keys)).forks).toEqual([
      { size: 1n, at: AT },
    ])
    await expect(openCheckpoint(signCheckpoint(first, 3n), keys)).rejects.toThrow(
      'was replaced after 2 events',
    )
    expect((await openCheckpoint(signCheckpoint(forked, 2n), keys)).forks).toEqual([])
  })

  test('events that an earlier key signed can also be lost', async () => {
    const late = createSigner(`${ORIGIN}.2`)
    const lost = { size: 20n, root: ROOT, at: AT }
    const both = [first.text, rotation, createHandover(second, late, { size: 5n, lost })]
    const { forks } = await openCheckpoint(signCheckpoint(first, 8n), openKeys(both))
    expect(forks).toEqual([{ size: 5n, at: AT }])
  })
})
