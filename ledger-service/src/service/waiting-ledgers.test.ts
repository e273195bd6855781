import { generateKeyPairSync } from 'node:crypto'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openSigningKey } from '../proofs/signing-key.ts'
import { type CheckedLedgers, RefusedToStart } from './check-ledgers.ts'
import { createWaitingLedgers } from './waiting-ledgers.ts'

const { privateKey } = generateKeyPairSync('ed25519')
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const key = openSigningKey({ pem, origin: 'test/1' })

/** Waiting ledgers whose check fails or leaves out ledgers as the test says. */
function start(findSilent: (ledgers: readonly number[]) => readonly number[]) {
  const opened: number[] = []
  const logged: string[] = []
  let checks = 0
  const check = async (ledgers: readonly number[]): Promise<CheckedLedgers> => {
    checks += 1
    const silent = findSilent(ledgers)
    const answering = ledgers.filter((ledger) => !silent.includes(ledger))
    const keys = new Map(answering.map((ledger) => [ledger, key]))
    return { keys, waiting: silent, silentNodes: new Map([['worker:5432', `check ${checks}`]]) }
  }
  const write = (line: string) => {
    const { msg, nodes } = JSON.parse(line) as { msg: string; nodes?: Record<string, string> }
    logged.push(msg, ...Object.entries(nodes ?? {}).map((node) => node.join(': ')))
  }
  const log = pino({ level: 'error' }, { write })
  const open = (keys: ReadonlyMap<number, unknown>) => void opened.push(...keys.keys())
  const waiting = createWaitingLedgers({ check, open, log, retryMs: 1 })
  const add = (ledgers: readonly number[]) =>
    waiting.add({ waiting: ledgers, silentNodes: new Map([['worker:5432', 'is down']]) })
  return { waiting, add, opened, logged, countChecks: () => checks }
}

test('a ledger is opened once its node answers, and the others wait', async () => {
  let silent = [1, 2]
  const { waiting, add, opened, countChecks } = start(() => silent)
  add([1, 2])
  await expect.poll(countChecks).toBeGreaterThan(2)
  expect(opened).toEqual([])
  silent = [2]
  await expect.poll(() => opened).toEqual([1])
  expect(waiting.count()).toBe(1)
  silent = []
  await expect.poll(() => opened).toEqual([1, 2])
  expect(waiting.count()).toBe(0)

  // Ledgers can be added again after the last one was opened.
  add([3])
  await expect.poll(() => opened).toEqual([1, 2, 3])
  await waiting.stop()
})

test('the log names the nodes that do not answer, and why, at each check', async () => {
  const { waiting, add, logged } = start(() => [1])
  add([1])
  expect(logged).toContain('worker:5432: is down')
  await expect.poll(() => logged).toContain('worker:5432: check 2')
  await waiting.stop()
})

test('a stop waits for the check that runs, and opens nothing', async () => {
  let stopped: Promise<void> | null = null
  const { waiting, add, opened } = start(() => {
    stopped = waiting.stop()
    return []
  })
  add([1])
  await expect.poll(() => stopped).not.toBe(null)
  await stopped
  expect(opened).toEqual([])
})

test('a removed ledger is not opened, also if it is removed during its check', async () => {
  const { waiting, add, opened, countChecks } = start((ledgers) => {
    waiting.remove([2])
    return ledgers.filter((ledger) => ledger === 3)
  })
  add([1, 2, 3])
  await expect.poll(() => opened).toEqual([1])
  const before = countChecks()
  await expect.poll(countChecks).toBeGreaterThan(before + 2)
  expect(opened).toEqual([1])
  await waiting.stop()
})

test('a ledger that fails its check stays closed; the others are opened', async () => {
  const { waiting, add, opened, logged } = start((ledgers) => {
    if (ledgers.includes(1)) throw new RefusedToStart(1, ['the log was changed'])
    return []
  })
  add([1, 2])
  await expect.poll(() => opened).toEqual([2])
  expect(logged).toContain('the log was changed')
  expect(waiting.count()).toBe(0)
  await waiting.stop()
})

test('a check that throws is repeated', async () => {
  let isDown = true
  const { waiting, add, opened, logged } = start(() => {
    if (isDown) throw new Error('the connection was lost')
    return []
  })
  add([1])
  await expect.poll(() => logged).toContain('the waiting ledgers cannot be opened; will try again')
  isDown = false
  await expect.poll(() => opened).toEqual([1])
  await waiting.stop()
})
