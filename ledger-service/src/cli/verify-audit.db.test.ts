import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AuditLine,
  type AuditRow,
  CHAIN_START,
  type ChainPlace,
  hashAuditRow,
} from '@cairn/ledger-contracts/proof'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../../test/support/run-cli.ts'
import {
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'

const SEALED = 8
const ROWS = 10

let ledger: TestLedger
let folder: string
let lines: readonly AuditLine[]
beforeAll(async () => {
  ledger = await startTestLedger()
  folder = await mkdtemp(join(tmpdir(), 'cairn-audit-'))
  lines = chainRows(Array.from({ length: ROWS }, (_, index) => createRow(index)))
  for (const count of [3, SEALED]) await sealRows(count)
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await ledger.close()
})

async function sealRows(count: number): Promise<void> {
  const head = lines[count - 1]?.hash ?? ''
  await requireRecorded(
    ledger.submit('SealAudit', { count, head }, { actor: 'system:audit-sealer' }),
  )
}

function createRow(index: number): AuditRow {
  return {
    id: `row${index}`,
    recordedAt: '2026-11-24T12:00:00.000Z',
    actorId: index % 2 === 0 ? null : 'ada',
    action: 'settings.save',
    subject: null,
    ip: '127.0.0.1',
    requestId: 'request',
    result: 'success',
    attemptId: null,
    details: { share: 0.5, changes: { before: index, after: 'é\u2028\u2029' } },
  }
}

function chainRows(rows: readonly AuditRow[]): readonly AuditLine[] {
  let place: ChainPlace = CHAIN_START
  return rows.map((row) => {
    place = { position: place.position + 1, hash: hashAuditRow(place, row) }
    return { ...row, ...place }
  })
}

async function runVerify(
  rows: readonly AuditLine[],
): Promise<{ code: number | null; out: string }> {
  const file = join(folder, 'audit.jsonl')
  await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const { code, out, complaint } = await runCli(ledger, 'verify', '--audit', file)
  return { code, out: out + complaint }
}

const alterRow = (position: number, change: Partial<AuditLine>) =>
  lines.map((line) => (line.position === position ? { ...line, ...change } : line))

test('an exported audit log agrees with its seals, also with rows that are not sealed yet', async () => {
  const waiting = { ...createRow(99), position: null, hash: null }
  const { code, out } = await runVerify([...lines, waiting])
  expect(out).toContain('10 rows match their hashes')
  expect(out).toMatch(/rows 1 to 8 are sealed in event \d+ at 20/)
  expect(out).toContain('rows after the last seal: 3')
  expect(code).toBe(0)
})

test('a changed, deleted, inserted or reordered row is named', async () => {
  const withoutFourth = lines.filter(({ position }) => position !== 4)
  const [first, second, ...rest] = lines
  if (first === undefined || second === undefined) throw new Error('there are rows')
  const cases: [readonly AuditLine[], string][] = [
    [alterRow(6, { actorId: 'grace' }), 'row 6 does not match its hash'],
    [alterRow(6, { details: { share: 0.25 } }), 'row 6 does not match its hash'],
    [withoutFourth, 'row 4 is missing'],
    [[first, { ...second, id: 'forged' }, second, ...rest], 'row 2 does not match its hash'],
    [[second, first, ...rest], 'row 1 is missing'],
    [lines.slice(0, 5), 'row 6 is missing: event'],
  ]
  for (const [rows, message] of cases) {
    const { code, out } = await runVerify(rows)
    expect(out).toContain(message)
    expect(code).toBe(1)
  }
})

test('a row without a position is accepted at the end only', async () => {
  const forged = { ...createRow(99), position: null, hash: null }
  for (const at of [0, 4, ROWS - 1]) {
    const { code, out } = await runVerify(lines.toSpliced(at, 0, forged))
    expect(out).toContain(
      `row ${at + 1}, in line ${at + 2}, comes after a row without a position: ` +
        'such rows are only at the end of an exported audit log',
    )
    expect(out).not.toContain('no difference found')
    expect(code).toBe(1)
  }
})

test('a log whose hashes were all computed again does not match its seals', async () => {
  const forged = chainRows(
    lines.map(({ position: _, hash: __, ...row }) => row).with(4, createRow(77)),
  )
  const { code, out } = await runVerify(forged)
  expect(out).toMatch(/rows 4 to 8 differ from the rows that event \d+ sealed/)
  expect(code).toBe(1)
})

test('a file that is not an exported audit log is refused by its line', async () => {
  const { code, out } = await runVerify([{ ...createRow(0), position: 1, hash: 'short' }])
  expect(out).toContain('line 1 is not a row of an exported audit log')
  expect(code).toBe(2)
})
