import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type CommandType, commandData, createId } from '@cairn/ledger-contracts'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createLedgerRoutes } from '../src/service/http/routes.ts'
import { createHttpServer } from '../src/service/http/server.ts'
import { scenes } from './support/scenes.ts'
import { startTestLedger } from './support/test-ledger.ts'

const TOKEN = 'test-token-'.repeat(4)
const VALUES = 10_000
const PER_REQUEST = 1_000

const HOSTILE: readonly unknown[] = [
  '-1',
  '0',
  '-0',
  '',
  ' ',
  ' 10 ',
  '+10',
  '1.0',
  '10.005',
  '1e3',
  '1E3',
  '0x10',
  '0b1',
  '0o7',
  'NaN',
  'Infinity',
  '-Infinity',
  '1_000',
  '1,000',
  '10n',
  '٣',
  '１０',
  '1\u00000',
  '\u0000',
  ...[
    '9223372036854775808',
    '18446744073709551616',
    '9'.repeat(40),
    '1000000000000001',
    "1'",
    'null',
  ],
  -1,
  0,
  1.5,
  1e21,
  2 ** 53,
  true,
  false,
  null,
  [],
  ['100'],
  [100],
  {},
  { amount: 1 },
  '100;drop table ledger.event',
  '#{1+1}',
  '{{1}}',
  '\ud800',
  '\u202e001',
]

/**
 * Returns a value that is not an amount, such as a string of digits with one character that is not
 * a digit.
 */
function createHostileValue(index: number): unknown {
  const known = HOSTILE[index % HOSTILE.length]
  const round = Math.floor(index / HOSTILE.length)
  if (round === 0 || typeof known !== 'string') return known
  const odd = ['.', ' ', 'e', '-', '\t', '\u00a0', 'x', '٠'][round % 8]
  return round % 2 === 0 ? `${index}${odd}${known}` : `${known}${odd}${index}`
}

/** Returns the amount fields of a command. */
function listMoneyFields(type: CommandType): readonly string[] {
  return Object.keys(commandData[type].shape).filter((name) => /Minor$/.test(name))
}

test(`${VALUES} hostile amounts in every money field: none is accepted, none causes a server error`, async () => {
  const ledger = await startTestLedger()
  const log = pino({ level: 'silent' })
  const routes = createLedgerRoutes({
    ledgers: new Map([[1, ledger.parts]]),
    checkHealth: async () => ({ isOk: true }),
  })
  const server = createHttpServer({ tokens: { ledger: [TOKEN] }, tls: null, log, routes }).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const types = (Object.keys(commandData) as CommandType[]).filter(
    // No caller may submit `ImportBalance`.
    (type) => listMoneyFields(type).length > 0 && type !== 'ImportBalance',
  )
  const cases = await Promise.all(
    types.flatMap((type) =>
      listMoneyFields(type).map(async (field) => ({
        type,
        field,
        data: await scenes[type](ledger),
      })),
    ),
  )
  expect(cases.length).toBeGreaterThanOrEqual(9)
  const [before] = await ledger.runSql<{ size: string }>('select size from ledger.head')
  const statuses = new Set<number>()
  const taken: unknown[] = []
  for (let from = 0; from < VALUES; from += PER_REQUEST) {
    const values = Array.from({ length: PER_REQUEST }, (_, index) =>
      createHostileValue(from + index),
    )
    const commands = values.map((value, index) => {
      const { type, field, data } = cases[(from + index) % cases.length] ?? failCase()
      const envelope = { actor: 'system:fuzz', key: createId(Date.now()), requestId: null }
      const fuzzed = { ...data, [field]: field === 'approvedMinor' && value === null ? '' : value }
      return { type, data: fuzzed, ...envelope, effectiveAt: null }
    })
    const response = await fetch(`http://127.0.0.1:${port}/v1/commands`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ledger: 1, lane: 'bulk', commands }, (_key, value) =>
        typeof value === 'bigint' ? String(value) : value,
      ),
    })
    statuses.add(response.status)
    const { answers } = (await response.json()) as { answers: { code: string }[] }
    answers.forEach(({ code }, index) => {
      if (code !== 'MALFORMED') taken.push(values[index])
    })
  }
  expect(taken).toEqual([])
  expect([...statuses]).toEqual([200])
  const [after] = await ledger.runSql<{ size: string }>('select size from ledger.head')
  expect(after).toEqual(before)
  server.close()
  server.closeAllConnections()
  await ledger.close()
})

test('sabotaged twin: a schema that coerces accepts at least seven of them', () => {
  const lenient = z.coerce.number().positive()
  const taken = HOSTILE.filter((value) => lenient.safeParse(value).success)
  expect(taken.length).toBeGreaterThanOrEqual(7)
})

test('the column types of the database refuse a value that is not a number', async () => {
  const ledger = await startTestLedger()
  for (const value of ['NaN', 'Infinity', '1.5', '1e3', '9223372036854775808']) {
    await expect(ledger.runSql('select $1::text::bigint as amount', [value])).rejects.toMatchObject(
      {
        code: expect.stringMatching(/^22/),
      },
    )
  }
  await ledger.close()
})

function failCase(): never {
  throw new Error('there is no case')
}
