import { eventData, parseFact } from '@cairn/ledger-contracts'
import { parseVerifierKey, verifyReceipt } from '@cairn/ledger-contracts/proof'
import { beforeAll, describe, expect, test } from 'vitest'
import { readEnvelope } from '../../src/log/envelope.ts'
import { hashLeaf } from '../../src/log/merkle.ts'
import { listDifferences, readGoldenFiles, readSteps } from './golden-files.ts'
import { buildGoldenFiles, type GoldenFiles, openGoldenKey } from './golden-ledger.ts'

let golden: GoldenFiles
beforeAll(async () => {
  golden = await readGoldenFiles()
})

const listLines = (name: string) => (golden.get(name) ?? '').split('\n').slice(0, -1)

describe('the golden log of schema 4', () => {
  // From release 0.9.0 on, these files never change. Before this release, `write-golden.ts` renews
  // them.
  test('is what the ledger gives for its commands, byte for byte', async () => {
    expect(listDifferences(golden, await buildGoldenFiles(await readSteps()))).toEqual([])
  })

  test('has an event of each type, which can be read, with a receipt', async () => {
    const events = listLines('events.jsonl').map((line) => readEnvelope(Buffer.from(line)))
    for (const { type, data } of events) expect(parseFact(type, data).type).toBe(type)
    const types = Object.keys(eventData)
    expect(types.filter((type) => !events.some((event) => event.type === type))).toEqual([])
    const keys = [parseVerifierKey(openGoldenKey().verifierKey)]
    for (const type of types) {
      const receipt = await verifyReceipt(golden.get(`receipts/${type}.tlog-proof`) ?? '', keys)
      expect(receipt.event.type).toBe(type)
    }
  })

  test('has the leaf hashes of its events', () => {
    const leaves = listLines('events.jsonl').map((line) => hashLeaf(Buffer.from(line)))
    expect(leaves.map((leaf) => leaf.toString('hex'))).toEqual(listLines('leaves.txt'))
  })

  test('has each optional member of an event, and refusals', () => {
    const events = listLines('events.jsonl').map((line) => readEnvelope(Buffer.from(line)))
    for (const member of [
      'control',
      'linked',
      'externalId',
      'metadata',
      'refusals',
      'idempotencyHash',
    ] as const) {
      const isSet = events.map((event) => event[member] !== null)
      expect([member, isSet.includes(true), isSet.includes(false)]).toEqual([member, true, true])
    }
    expect(listLines('refusals.jsonl').length).toBeGreaterThan(0)
  })
})

test('a changed byte is named with its file, line and place', () => {
  const file = 'events.jsonl'
  const changed = (golden.get(file) ?? '').replace('"v":"4"', '"v":"5"')
  expect(listDifferences(golden, new Map([...golden, [file, changed]]))).toEqual([
    expect.stringMatching(/^events\.jsonl, line 1, byte \d+: .*:\\"4\\".* has become .*:\\"5\\"/),
  ])
})

test('sabotaged twin: an event with its members in another order is noticed', () => {
  const file = 'events.jsonl'
  const swapped = (golden.get(file) ?? '').replaceAll(/("salt":"[\w-]+"),("seq":"\d+")/g, '$2,$1')
  expect(listDifferences(golden, new Map([...golden, [file, swapped]])).length).toBe(
    listLines(file).length,
  )
})
