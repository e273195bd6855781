import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCommandConfig } from '../../test/support/command-config.ts'
import {
  createFundedInvestor,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { createTestSigning } from '../../test/support/test-signing.ts'
import { createVersionedModel } from '../../test/support/versioned-model.ts'
import { tryTakeLock } from '../log/election-locks.ts'
import { formatInstanceName } from '../log/instances.ts'
import type { Model } from '../log/model.ts'
import { replayLog } from '../proofs/replay.ts'
import { activateModels } from './activate-model.ts'
import { connectClient } from './database/pool.ts'

const log = pino({ level: 'silent' })
const second = createVersionedModel(2)

let database: TestDatabase
let signing: TestLedger['signing']
beforeAll(async () => {
  database = await createTestDatabase()
  signing = await createTestSigning()
  const ledger = await startTestLedger({ database, signing })
  await createFundedInvestor(ledger, { amountMinor: 5_000n })
  await ledger.close()
})
afterAll(() => database.drop())

function activate(model: Model) {
  const config = createCommandConfig(database, signing.checkpointDir)
  return activateModels(config, { log, model })
}

/** Returns the problems that a replay finds in the whole log. */
async function replay(model: Model): Promise<readonly string[]> {
  const connect = () =>
    connectClient({ url: database.urlFor('cairn_ledger'), name: 'replay', pipeline: false })
  const [client, refusalClient] = await Promise.all([connect(), connect()])
  try {
    const { rows } = await client.query<{ size: bigint }>('select size from ledger.head')
    await client.query('begin isolation level repeatable read read only')
    const size = rows[0]?.size ?? 0n
    const problems = await replayLog({ client, refusalClient }, { ledger: 1, size, model })
    return problems.map(({ problem }) => problem)
  } finally {
    await Promise.all([client.end(), refusalClient.end()])
  }
}

/** Connects as an instance of the service does in the election. */
function connectInstance(name: string) {
  return connectClient({ url: database.urlFor('cairn_ledger'), name, pipeline: false })
}

/** The name of an instance that knows the versions up to `version`. */
const formatName = (version: number) =>
  formatInstanceName({ ledgers: 1, version, address: 'http://10.0.0.5:8081' })

test('a connected instance that does not know the version prevents the activation', async () => {
  const instances = await Promise.all([formatName(2), formatName(1)].map(connectInstance))
  await expect(activate(second)).rejects.toThrow(
    'the instance http://10.0.0.5:8081 does not know version 2 of the rules',
  )
  await Promise.all(instances.map((instance) => instance.end()))
})

test('an instance of a program that names no version prevents the activation', async () => {
  const instance = await connectInstance('ledger-1-lock')
  await expect(activate(second)).rejects.toThrow('the instance of an older program')
  await instance.end()
})

test('another command that holds the lock prevents the activation', async () => {
  const command = await connectInstance('ledger-key')
  expect(await tryTakeLock(command, 1)).toBe(true)
  await expect(activate(second)).rejects.toThrow('in use by another command')
  await command.end()
})

test('the next version decides after its event, which verification follows', async () => {
  // The running instance knows the version, so it continues to write after the activation.
  const instance = await connectInstance(formatName(2))
  const ledger = await startTestLedger({ database, signing, model: second })
  await createFundedInvestor(ledger, { amountMinor: 5_000n })
  expect(await activate(second)).toMatchObject([{ ledger: 1, version: 2 }])
  expect(await activate(second)).toEqual([])
  await createFundedInvestor(ledger, { amountMinor: 5_000n })
  await instance.end()
  await ledger.close()
  expect(await replay(second)).toEqual([])
})

test('sabotaged twin: a replay by the first version alone does not know the rules', async () => {
  const problems = await replay(createVersionedModel(1))
  expect(problems.join('\n')).toContain('this program does not know version 2 of the rules')
})

test.each([
  ['update ledger.head set model = 3', 'the head names version 3 of the rules, but version 2'],
  ['update ledger.model_version set version = 3', 'model_version'],
  ['update ledger.model_version set last_seq = last_seq + 1', 'model_version'],
])('a superuser who runs "%s" is detected', async (change, problem) => {
  const superuser = await connectClient({ url: database.url, name: 'tamper', pipeline: false })
  const { rows: before } = await superuser.query(
    'select model, version, last_seq from ledger.head join ledger.model_version using (ledger_id)',
  )
  await superuser.query(change)
  expect((await replay(second)).join('\n')).toContain(problem)
  const { model, version, last_seq } = before[0]
  await superuser.query('update ledger.head set model = $1', [model])
  await superuser.query('update ledger.model_version set version = $1, last_seq = $2', [
    version,
    last_seq,
  ])
  await superuser.end()
  expect(await replay(second)).toEqual([])
})

test('sabotaged twin: an older instance that is not registered does not prevent the activation', async () => {
  const instance = await connectInstance('ledger-1')
  expect(await activate(createVersionedModel(3))).toMatchObject([{ version: 3 }])
  await instance.end()
})
