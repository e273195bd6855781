import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { createLedgerClient } from '@cairn/ledger-contracts'
import { openKeys } from '@cairn/ledger-contracts/proof'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordFigure } from '../../ledger-service/test/support/figure.ts'
import { chooseFailedMax, chooseTwinMin, runUnderLoad } from './load.ts'
import { type PairedServices, startPairedServices } from './paired-services.ts'
import {
  CALLERS,
  formatCallerTokens,
  SESSION_SECRET,
  type ServiceProcess,
  TOKEN,
} from './service-processes.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const FAILED_MAX = chooseFailedMax(0.001)
const NEW_TOKEN = 'another-gateway-token-'.repeat(2)
const NEW_SECRET = 'another session secret for tests'
const NEW_KEY = 'another-outbox-key-'.repeat(2)

let pair: PairedServices
beforeAll(async () => {
  pair = await startPairedServices()
})
afterAll(() => pair?.remove())

/** Restarts the processes one after the other, as an operator does after a change of their files. */
async function restart(
  processes: readonly ServiceProcess[],
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  for (const one of processes) {
    one.setVariables(variables)
    await one.end('SIGTERM')
    await one.start()
  }
}

const ask = (token: string) =>
  createLedgerClient({ url: pair.services.ledgers[0]?.url ?? '', token }).ask('durability', {})

/** Runs `rotate-signing-key` as the operator does, with the environment of the ledger service. */
async function rotateSigningKey(): Promise<void> {
  const { database, services } = pair
  const program = join(ROOT, 'ledger-service/src/cli.ts')
  await promisify(execFile)(process.execPath, [program, 'rotate-signing-key'], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      SERVICE_TOKEN: TOKEN,
      LEDGER_DATABASE_URL: database.urlFor('cairn_ledger'),
      LEDGER_PORT: '1',
      LEDGER_SIGNING_KEY_FILE: join(services.checkpointDir, 'key.pem'),
      LEDGER_CHECKPOINT_DIR: services.checkpointDir,
    },
  })
}

test('the signing key is replaced under load, while both ledgers run', async ({ task }) => {
  const { services, people, ledger } = pair
  const before = await pair.readBalance()
  const load = await runUnderLoad({ ...people, gateways: services.gateways }, async () => {
    for (let changes = 0; changes < 3; changes += 1) await rotateSigningKey()
  })
  expect(await pair.readBalance()).toBe(before + BigInt(load.paid) * 100n)
  expect(load.calls).toBeGreaterThan(1 / FAILED_MAX)
  expect(load.failed / load.calls).toBeLessThanOrEqual(FAILED_MAX)
  const { verifierKeys } = await ledger.ask('checkpoint', {})
  expect(openKeys(verifierKeys)).toHaveLength(4)
  // Both instances sign with the newest key, also after they are started again.
  for (const one of services.ledgers) {
    await one.end('SIGTERM')
    await one.start()
  }
  await pair.verify(ROOT)
  expect((await ledger.ask('check', {})).problems).toEqual([])
  recordFigure(task, `${load.calls} calls, ${load.failed} failed, ${load.paid} payments, 0 lost`)
})

test('keys and the credential of the gateway are replaced under load', async ({ task }) => {
  const { services, people, ledger } = pair
  const { ledgers, gateways, workers } = services
  const before = await pair.readBalance()
  const load = await runUnderLoad({ ...people, gateways }, async () => {
    // Each process first learns the new value beside the old one, then the old one is removed.
    const both = formatCallerTokens({ gateway: [NEW_TOKEN, CALLERS.gateway] })
    await restart([...ledgers, ...workers], {
      CALLER_TOKENS: both,
      OUTBOX_KEY: `${NEW_KEY},${TOKEN}`,
    })
    await restart(gateways, {
      SERVICE_TOKEN: NEW_TOKEN,
      SESSION_SECRET: `${NEW_SECRET},${SESSION_SECRET}`,
      FACTOR_KEY: `${NEW_SECRET},${SESSION_SECRET}`,
      OUTBOX_KEY: `${NEW_KEY},${TOKEN}`,
    })
    const only = formatCallerTokens({ gateway: [NEW_TOKEN] })
    await restart([...ledgers, ...workers], { CALLER_TOKENS: only })
  })
  expect(await pair.readBalance()).toBe(before + BigInt(load.paid) * 100n)
  expect(load.calls).toBeGreaterThan(1 / FAILED_MAX)
  expect(load.failed / load.calls).toBeLessThanOrEqual(FAILED_MAX)
  await expect(ask(CALLERS.gateway)).rejects.toThrow()
  expect(await ask(NEW_TOKEN)).toMatchObject({ now: 'local' })
  expect((await ledger.ask('check', {})).problems).toEqual([])
  recordFigure(task, `${load.calls} calls, ${load.failed} failed, ${load.paid} payments, 0 lost`)
})

test('sabotaged twin: a credential that the ledgers do not know yet makes calls fail', async ({
  task,
}) => {
  const { services, people } = pair
  const load = await runUnderLoad({ ...people, gateways: services.gateways }, async () => {
    await restart(services.gateways, { SERVICE_TOKEN: `${NEW_TOKEN}-unknown` })
    await restart(services.gateways, { SERVICE_TOKEN: NEW_TOKEN })
  })
  expect(load.failed / load.calls).toBeGreaterThan(chooseTwinMin(FAILED_MAX))
  recordFigure(task, `${load.failed} of ${load.calls} calls failed`)
})
