import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Command, type CommandType, createId, toJson } from '@cairn/ledger-contracts'
import { readUntilAnswered } from '@cairn/local/repeated-read'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CRASH_POINTS, type CrashPoint } from '../src/log/crash-points.ts'
import { readServeConfig } from '../src/service/config.ts'
import { recordFigure } from './support/figure.ts'
import { createRemoteLedger } from './support/remote-ledger.ts'
import { REPEATABLE_TYPES, scenes } from './support/scenes.ts'
import { type ServiceProcess, startServiceProcess, TEST_TOKEN } from './support/service-process.ts'

/**
 * With `npm run torture`, the process crashes once for each command; otherwise, once for all
 * commands.
 */
const IS_ONE_BY_ONE = process.env.TORTURE_CRASHES === 'one by one'
// The commands that are sent last. These commands, or the commands that create their data, change
// the money rules or dual control. The change would affect commands that are sent afterwards.
// `ReplaceSigningKey` is never sent, because no caller can submit it over HTTP.
const LAST: readonly CommandType[] = [
  'PayReferralBonus',
  'CancelInvestment',
  'SetMoneyRules',
  'SetDualControl',
]
const ALL = REPEATABLE_TYPES.filter((type) => type !== 'ReplaceSigningKey')
const TYPES = [...ALL.filter((type) => !LAST.includes(type)), ...LAST]
const GROUPS = IS_ONE_BY_ONE ? TYPES.map((type) => [type]) : [TYPES]

let database: TestDatabase
let service: ServiceProcess
let crashFile: string
beforeAll(async () => {
  database = await createTestDatabase()
  crashFile = join(await mkdtemp(join(tmpdir(), 'cairn-crash-')), 'point')
  await writeFile(crashFile, '')
  service = await startServiceProcess({
    databaseUrl: database.urlFor('cairn_ledger'),
    environment: { CAIRN_CRASH_FILE: crashFile },
  })
})
afterAll(async () => {
  await service.end('SIGTERM')
  await database.drop()
})

async function createCommands(types: readonly CommandType[]): Promise<readonly Command[]> {
  const commands: Command[] = []
  const ledger = createRemoteLedger(service.client)
  for (const type of types) {
    const data = await scenes[type](ledger)
    const rest = { actor: 'system:crash', key: createId(Date.now()), requestId: null }
    // The cast is safe, because the data was created for this command type.
    commands.push({ type, data, ...rest, effectiveAt: null } as unknown as Command)
  }
  return commands
}

/**
 * Makes the process crash when it reaches `point` while it handles the commands. Then starts the
 * process again.
 */
async function crashDuring(point: CrashPoint, commands: readonly Command[]): Promise<void> {
  await writeFile(crashFile, point)
  const asking = service.client.submitMany(commands, 'interactive')
  await expect(asking).rejects.toThrow('no answer from the ledger')
  expect(await service.ended()).toBe('SIGKILL')
  await writeFile(crashFile, '')
  await service.start()
}

/** Returns the HTTP answer to one command as text. */
async function fetchAnswer(command: Command): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${service.port}/v1/commands`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_TOKEN}`, 'content-type': 'application/json' },
    body: toJson({ ledger: 1, lane: 'interactive', commands: [command] }),
  })
  return response.text()
}

async function countEvents(keys: readonly (string | null)[]): Promise<number> {
  const superuser = new pg.Client({ connectionString: database.url })
  await superuser.connect()
  const { rows } = await superuser.query<{ count: number }>(
    `select count(*)::int as count from ledger.event where idempotency_hash in (
       select sha256(convert_to('system:crash', 'UTF8') || '\\x00'::bytea || convert_to(key, 'UTF8'))
       from unnest($1::text[]) as key)`,
    [keys],
  )
  await superuser.end()
  return rows[0]?.count ?? 0
}

describe.each(CRASH_POINTS)('a service killed %s', (point) => {
  test.each(GROUPS.map((types) => [types.length === 1 ? types[0] : 'every command', types]))(
    'recorded %s once, and always returns the same bytes',
    async (_name, types) => {
      const commands = await createCommands(types as readonly CommandType[])
      await crashDuring(point, commands)
      for (const command of commands) {
        const first = await fetchAnswer(command)
        const { type } = command
        expect({ type, first }).toMatchObject({ first: expect.stringContaining('"recorded"') })
        const again = await fetchAnswer(command)
        expect(again).toBe(first.replace('"isReplay":false', '"isReplay":true'))
        expect(await fetchAnswer(command)).toBe(again)
        if (point === 'after the commit, before the answer') expect(first).toBe(again)
        else if (point !== 'while the statement runs') expect(first).not.toBe(again)
      }
      expect(await countEvents(commands.map(({ key }) => key))).toBe(commands.length)
    },
  )
})

test('the books are correct afterwards', async ({ task }) => {
  expect((await readUntilAnswered(() => service.client.ask('check', {}))).problems).toEqual([])
  const crashes = CRASH_POINTS.length * GROUPS.length
  recordFigure(task, `${crashes} processes killed, ${CRASH_POINTS.length * TYPES.length} commands`)
})

test('sabotaged twin: a client that forgets its key records a command twice', async () => {
  const [command] = await createCommands(['FundReserve'])
  if (command?.type !== 'FundReserve') throw new Error('another command was prepared')
  await crashDuring('after the commit, before the answer', [command])
  const other = { ...command, key: createId(Date.now()) }
  const transactionId = createId(Date.now())
  const forgetful: Command = { ...other, data: { ...other.data, transactionId } }
  expect(await fetchAnswer(forgetful)).toContain('"recorded"')
  expect(await countEvents([command.key, forgetful.key])).toBe(2)
})

test('no process outside tests accepts a crash point', () => {
  const environment = {
    SERVICE_TOKEN: TEST_TOKEN,
    LEDGER_DATABASE_URL: 'postgres://localhost/ledger',
    LEDGER_PORT: '4000',
    LEDGER_CHECKPOINT_DIR: '/tmp',
    CAIRN_CRASH_FILE: crashFile,
  }
  expect(() => readServeConfig(environment)).toThrow(
    'CAIRN_CRASH_FILE is only allowed with NODE_ENV=test',
  )
  expect(readServeConfig({ ...environment, NODE_ENV: 'test' }).crashFile).toBe(crashFile)
})
