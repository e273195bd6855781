import { createLedgerClient } from '@cairn/ledger-contracts'
import { JUDGES_TIMES } from '@cairn/local/time-limit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordFigure } from '../../ledger-service/test/support/figure.ts'
import { runUnderLoad } from './load.ts'
import { type PairedServices, startPairedServices } from './paired-services.ts'
import {
  CALLERS,
  formatCallerTokens,
  SESSION_SECRET,
  type ServiceProcess,
  TOKEN,
} from './service-processes.ts'

const FAILED_MAX = JUDGES_TIMES ? 0.001 : 0.02
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
  expect(load.failed / load.calls).toBeGreaterThan(FAILED_MAX)
  recordFigure(task, `${load.failed} of ${load.calls} calls failed`)
})
