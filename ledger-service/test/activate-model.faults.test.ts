import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createId } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { activateModels } from '../src/service/activate-model.ts'
import { createCommandConfig } from './support/command-config.ts'
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts'
import { createTestSigning } from './support/test-signing.ts'
import { createVersionedModel } from './support/versioned-model.ts'

const VERSIONED = join(import.meta.dirname, 'support', 'versioned-service.ts')
const ORIGIN = 'cairn.test/ledger'
const SECOND = createVersionedModel(2)

let database: TestDatabase
let folder: string
let superuser: pg.Pool
const instances = new Set<ServiceProcess>()

beforeEach(async () => {
  database = await createTestDatabase()
  folder = (await createTestSigning()).checkpointDir
  superuser = new pg.Pool({ connectionString: database.url, max: 1 })
  superuser.on('error', () => {})
})
afterEach(async () => {
  for (const instance of instances) await instance.end('SIGKILL')
  instances.clear()
  await superuser.end()
  await database.drop()
  await rm(folder, { recursive: true })
})

/**
 * Starts an instance of the service. Without arguments, the program of the product runs, which
 * knows only version 1 of the rules. With arguments, a test program runs that knows the given
 * versions.
 */
async function startInstance(...versions: readonly string[]): Promise<ServiceProcess> {
  const instance = await startServiceProcess({
    databaseUrl: database.urlFor('cairn_ledger'),
    environment: {
      LEDGER_ORIGIN: ORIGIN,
      LEDGER_SIGNING_KEY_FILE: join(folder, 'key.pem'),
      LEDGER_CHECKPOINT_DIR: folder,
    },
    ...(versions.length > 0 && { program: [VERSIONED, ...versions] }),
  })
  instances.add(instance)
  return instance
}

async function end(instance: ServiceProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  await instance.end(signal)
  instances.delete(instance)
}

function activate() {
  const config = createCommandConfig(database, folder)
  return activateModels(config, { log: pino({ level: 'silent' }), model: SECOND })
}

/** Submits a command. Returns `unknown` if the instance did not answer. */
function attempt({ client }: ServiceProcess): Promise<string> {
  const data = { investorId: createId(Date.now()), referrerId: null }
  const envelope = { actor: 'system:test', key: null, requestId: null, effectiveAt: null }
  return client.submit({ type: 'ActivateInvestor', data, ...envelope }).then(
    ({ outcome }) => outcome,
    () => 'unknown',
  )
}

async function readHead(): Promise<{ size: string; model: number; token: string }> {
  const { rows } = await superuser.query(
    'select size, model, fencing_token as token from ledger.head where ledger_id = 1',
  )
  return rows[0]
}

async function listTypes(from: bigint): Promise<readonly string[]> {
  const { rows } = await superuser.query<{ type: string }>(
    'select type from ledger.event where ledger_id = 1 and seq >= $1 order by seq',
    [from],
  )
  return rows.map(({ type }) => type)
}

const blocked = ({ port }: ServiceProcess) =>
  `the instance http://127.0.0.1:${port} does not know version 2 of the rules`

test('a version is activated while instances run, and an older program cannot write any more', async () => {
  const [first, second, older] = [
    await startInstance('2'),
    await startInstance('2'),
    await startInstance(),
  ]
  for (const instance of [first, second, older]) {
    await expect.poll(() => attempt(instance)).toBe('recorded')
  }
  await expect(activate()).rejects.toThrow(blocked(older))
  // An instance that does not answer still has its database connection, so it could still write.
  older.signal('SIGSTOP')
  await expect(activate()).rejects.toThrow(blocked(older))
  expect((await readHead()).model).toBe(1)

  await end(older, 'SIGKILL')
  const before = BigInt((await readHead()).size)
  await expect.poll(() => activate().catch(String)).toMatchObject([{ version: 2 }])
  for (const instance of [first, second, first, second]) {
    await expect.poll(() => attempt(instance)).toBe('recorded')
  }
  expect((await listTypes(before)).slice(0, 2)).toEqual(['ModelActivated', 'InvestorActivated'])
  expect((await readHead()).model).toBe(2)

  const restarted = await startInstance()
  await expect.poll(() => attempt(restarted)).toBe('recorded')
  await end(first, 'SIGTERM')
  await end(second, 'SIGTERM')
  const after = await readHead()
  expect(await restarted.ended()).toBeNull()
  expect(restarted.readLog()).toContain(
    'version 2 of the rules is in force in ledger 1, this process has version 1: ' +
      'start the newer version of the ledger',
  )
  expect(await readHead()).toEqual(after)
  const newer = await startInstance('2')
  await expect.poll(() => attempt(newer)).toBe('recorded')
})

test('sabotaged twin: an older program that states the version stops all writes', async () => {
  const older = await startInstance('1', '2')
  await expect.poll(() => attempt(older)).toBe('recorded')
  expect(await activate()).toMatchObject([{ version: 2 }])
  const { size } = await readHead()
  for (let attempts = 0; attempts < 5; attempts += 1) {
    expect(await attempt(older)).not.toBe('recorded')
  }
  expect((await readHead()).size).toBe(size)
})
