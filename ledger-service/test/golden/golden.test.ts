import { basename } from 'node:path'
import { eventData, parseFact } from '@cairn/ledger-contracts'
import { parseVerifierKey, verifyReceipt } from '@cairn/ledger-contracts/proof'
import { describe, expect, test } from 'vitest'
import { readEnvelope } from '../../src/log/envelope.ts'
import { hashLeaf } from '../../src/log/merkle.ts'
import { listDifferences, listGoldenFolders, readGoldenFiles, readSteps } from './golden-files.ts'
import { buildGoldenFiles, type GoldenFiles, openGoldenKey } from './golden-ledger.ts'

/** The released golden logs. They never change. */
const logs = await Promise.all(
  listGoldenFolders().map(async (folder) => ({
    name: basename(folder),
    folder,
    files: await readGoldenFiles(folder),
  })),
)
const golden: GoldenFiles = logs[0]?.files ?? new Map()

function listLines(name: string): readonly string[] {
  return logs.flatMap(({ files }) => (files.get(name) ?? '').split('\n').slice(0, -1))
}

describe.each(logs)('the golden log $name', ({ folder, files }) => {
  test('is what the ledger gives for its commands, byte for byte', async () => {
    expect(listDifferences(files, await buildGoldenFiles(await readSteps(folder)))).toEqual([])
  })

  test('has a receipt for each of its types', async () => {
    const keys = [parseVerifierKey(openGoldenKey().verifierKey)]
    const receipts = [...files.keys()].filter((name) => name.startsWith('receipts/'))
    expect(receipts).not.toEqual([])
    for (const name of receipts) {
      const receipt = await verifyReceipt(files.get(name) ?? '', keys)
      expect(name).toBe(`receipts/${receipt.event.type}.tlog-proof`)
    }
  })
})

describe('the golden logs together', () => {
  test('have an event of each type, which can be read, with a receipt', () => {
    const events = listLines('events.jsonl').map((line) => readEnvelope(Buffer.from(line)))
    for (const { type, data } of events) expect(parseFact(type, data).type).toBe(type)
    const types = Object.keys(eventData)
    expect(types.filter((type) => !events.some((event) => event.type === type))).toEqual([])
    const receipts = logs.flatMap(({ files }) => [...files.keys()])
    expect(types.filter((type) => !receipts.includes(`receipts/${type}.tlog-proof`))).toEqual([])
  })

  test('have the leaf hashes of their events', () => {
    const leaves = listLines('events.jsonl').map((line) => hashLeaf(Buffer.from(line)))
    expect(leaves.map((leaf) => leaf.toString('hex'))).toEqual(listLines('leaves.txt'))
  })

  test('have each optional member of an event, and refusals', () => {
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
  const lines = (golden.get(file) ?? '').split('\n').slice(0, -1)
  expect(listDifferences(golden, new Map([...golden, [file, swapped]])).length).toBe(lines.length)
})
