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
    return { keys: new Map(answering.map((ledger) => [ledger, key])), waiting: silent }
  }
  const log = pino({ level: 'error' }, { write: (line) => void logged.push(JSON.parse(line).msg) })
  const open = (keys: ReadonlyMap<number, unknown>) => void opened.push(...keys.keys())
  const waiting = createWaitingLedgers({ check, open, log, retryMs: 1 })
  return { waiting, opened, logged, countChecks: () => checks }
}

test('a ledger is opened once its node answers, and the others wait', async () => {
  let silent = [1, 2]
  const { waiting, opened, countChecks } = start(() => silent)
  waiting.add([1, 2])
  await expect.poll(countChecks).toBeGreaterThan(2)
  expect(opened).toEqual([])
  silent = [2]
  await expect.poll(() => opened).toEqual([1])
  expect(waiting.count()).toBe(1)
  silent = []
  await expect.poll(() => opened).toEqual([1, 2])
  expect(waiting.count()).toBe(0)

  // Ledgers can be added again after the last one was opened.
  waiting.add([3])
  await expect.poll(() => opened).toEqual([1, 2, 3])
  await waiting.stop()
})

test('a removed ledger is not opened, also if it is removed during its check', async () => {
  const { waiting, opened, countChecks } = start((ledgers) => {
    waiting.remove([2])
    return ledgers.filter((ledger) => ledger === 3)
  })
  waiting.add([1, 2, 3])
  await expect.poll(() => opened).toEqual([1])
  const before = countChecks()
  await expect.poll(countChecks).toBeGreaterThan(before + 2)
  expect(opened).toEqual([1])
  await waiting.stop()
})

test('a ledger that fails its check stays closed; the others are opened', async () => {
  const { waiting, opened, logged } = start((ledgers) => {
    if (ledgers.includes(1)) throw new RefusedToStart(1, ['the log was changed'])
    return []
  })
  waiting.add([1, 2])
  await expect.poll(() => opened).toEqual([2])
  expect(logged).toContain('the log was changed')
  expect(waiting.count()).toBe(0)
  await waiting.stop()
})

test('a check that throws is repeated', async () => {
  let isDown = true
  const { waiting, opened, logged } = start(() => {
    if (isDown) throw new Error('the connection was lost')
    return []
  })
  waiting.add([1])
  await expect.poll(() => logged).toContain('the waiting ledgers cannot be opened; will try again')
  isDown = false
  await expect.poll(() => opened).toEqual([1])
  await waiting.stop()
})
