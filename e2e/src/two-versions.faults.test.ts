import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { JUDGES_TIMES } from '@cairn/local/time-limit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from '../../api-gateway/testing/test-gateway.ts'
import { recordFigure } from '../../ledger-service/test/support/figure.ts'
import { chooseFailedMax, type Load, runUnderLoad } from './load.ts'
import { type PairedServices, startPairedServices } from './paired-services.ts'
import {
  type Checkout,
  checkOut,
  findObstacle,
  readReleases,
  readVersions,
} from './previous-version.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const STEADY_MS = 500
const CLIENTS = 4
const FAILED_MAX = chooseFailedMax(0)

const releases = readReleases()
const release = releases.at(-1)
if (release === undefined) throw new Error('releases.json names no version')
const obstacle = findObstacle(release)
if (obstacle !== null) console.warn(`skipped: ${obstacle}`)

test('the releases are complete and in the order of their dates', () => {
  for (const { version, commit, schema, model, date } of releases) {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(commit).toMatch(/^[0-9a-f]{40}$/)
    expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(schema).toBeGreaterThan(0)
    expect(model).toBeGreaterThan(0)
  }
  const dates = releases.map(({ date }) => date)
  expect(dates).toEqual(dates.toSorted())
})

describe.skipIf(obstacle !== null)('T58b the previous version beside this one', () => {
  let previous: Checkout
  let pair: PairedServices

  beforeAll(async () => {
    previous = await checkOut(release.commit)
    pair = await startPairedServices(previous.root)
  })
  afterAll(async () => {
    await pair?.remove()
    await previous?.remove()
  })

  /**
   * Replaces the processes one by one, the ledgers first. Each version of the gateway therefore
   * calls each version of the ledger.
   */
  async function replaceAll(root: string): Promise<void> {
    const { ledgers, gateways, workers } = pair.services
    for (const one of [...ledgers, ...gateways, ...(JUDGES_TIMES ? workers : [])]) {
      await delay(STEADY_MS)
      const { exitCode } = await one.end('SIGTERM')
      expect([one.name, exitCode]).toEqual([one.name, 0])
      await one.start(root)
    }
    await delay(STEADY_MS)
  }

  async function requireNothingLost(load: Load, before: bigint): Promise<void> {
    expect(await pair.readBalance()).toBe(before + BigInt(load.paid) * 100n)
    expect(load.paid).toBeGreaterThan(0)
    expect(load.failed / load.calls).toBeLessThanOrEqual(FAILED_MAX)
  }

  test('has the versions of events and rules that its entry names', async () => {
    const { schema, model } = release
    expect(await readVersions(previous.root)).toEqual({ schema, model })
  })

  test('is rolled forward and back under load: no call fails, and the ledger verifies', async ({
    task,
  }) => {
    const site = { ...pair.people, gateways: pair.services.gateways, clients: CLIENTS }
    const before = await pair.readBalance()
    const forward = await runUnderLoad(site, () => replaceAll(ROOT))
    await requireNothingLost(forward, before)
    const between = await pair.readBalance()
    const back = await runUnderLoad(site, () => replaceAll(previous.root))
    await requireNothingLost(back, between)
    for (const root of [ROOT, previous.root]) {
      expect(await pair.verify(root)).toContain('no difference found')
    }
    const calls = forward.calls + back.calls
    const failed = forward.failed + back.failed
    const elsewhere = forward.elsewhere + back.elsewhere
    recordFigure(
      task,
      `${release.version} (${release.commit.slice(0, 8)}) and this version: ${calls} calls, ${failed} failed, ${elsewhere} asked again at the other gateway, ${forward.paid + back.paid} payments, 0 lost`,
    )
  })

  test('reads the preferences of a person who changed the layout of a new list, and keeps it', async () => {
    const [gateway] = pair.services.gateways
    if (gateway === undefined) throw new Error('no gateway was started')
    const restart = async (root: string) => {
      await gateway.end('SIGTERM')
      await gateway.start(root)
    }
    const call = (method: string, body?: object) =>
      send(gateway, pair.people.admin, { method, path: '/users/me/preferences', body })
    const furtherTables = { events: { hidden: ['actor'], isCompact: true, views: [] } }
    await restart(ROOT)
    expect((await call('PUT', { furtherTables })).status).toBe(200)
    await restart(previous.root)
    expect((await call('PUT', { marketUpdates: true })).status).toBe(200)
    await restart(ROOT)
    const { body } = await call('GET')
    expect(body.data?.preferences).toMatchObject({ marketUpdates: true, furtherTables })
  })

  test('sabotaged twin: a version that names a member of events differently fails each payment', async ({
    task,
  }) => {
    const { services, people } = pair
    const [gateway] = services.gateways
    if (gateway === undefined) throw new Error('no gateway was started')
    const contract = join(previous.root, 'ledger-service/contracts/src/answers.ts')
    const text = await readFile(contract, 'utf8')
    const incompatible = text.replace('  effectiveAt: z.string(),', '  validFrom: z.string(),')
    expect(incompatible).not.toBe(text)
    for (const one of services.ledgers) {
      await one.end('SIGTERM')
      await one.start(ROOT)
    }
    await gateway.end('SIGTERM')
    await writeFile(contract, incompatible)
    await gateway.start(previous.root)
    const body = { wallet_type: 'balance', amount: '1.00', reason: 'load' }
    const path = `/users/${people.investorId}/wallets`
    for (const key of ['first', 'second']) {
      const headers = { 'idempotency-key': key }
      const answer = await send(gateway, people.admin, { method: 'PATCH', path, body, headers })
      expect(answer.status).toBeGreaterThanOrEqual(500)
    }
    recordFigure(task, '2 of 2 payments failed')
  })
})
