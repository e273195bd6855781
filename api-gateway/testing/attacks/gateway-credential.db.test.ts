import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Command, type CommandType, commandData, toJson } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSamples } from './command-samples.ts'
import {
  APPROVERS,
  createServerCommand,
  type LedgerScene,
  openLedgerScene,
  THRESHOLD,
  TOKENS,
} from './ledger-scene.ts'

// These tests act as a thief of the gateway's credential, who calls the ledger directly and has no
// session.

const ROOT = resolve(import.meta.dirname, '..', '..', '..')
// The cast is safe because the keys of the schemas are the command types.
const TYPES = Object.keys(commandData) as CommandType[]
const SMALL = 1_000n

let scene: LedgerScene
let samples: ReturnType<typeof createSamples>
beforeAll(async () => {
  scene = await openLedgerScene()
  samples = createSamples(scene)
})
afterAll(() => scene?.close())

/**
 * The ways in which a thief can send a command. Each way uses its own actor. `two` also adds
 * invented approvals.
 */
const WAYS = {
  user: (command: Command) => ({ ...command, actor: 'user:anyone' }),
  platform: (command: Command) => ({ ...command, actor: 'system:change-requests' }),
  'one, small': (command: Command) => ({ ...command, actor: `admin:${APPROVERS[0]}` }),
  'one, large': (command: Command) => ({ ...command, actor: `admin:${APPROVERS[0]}` }),
  two: ({ type, data }: Command) => scene.createAgreedCommand(type, data),
  server: (command: Command) => ({ ...command, actor: 'system:server' }),
  worker: (command: Command) => ({ ...command, actor: 'system:accruals' }),
} as const satisfies Record<string, (command: Command) => Command>
type Way = keyof typeof WAYS
const NAMES = Object.keys(WAYS) as Way[]

const OUTCOMES: Readonly<Record<string, string>> = {
  'user, platform, one, small, one, large, two': 'any name',
  'one, small, two': 'one approver below the threshold, two from it on, with invented approvals',
  'user, platform, two': 'any name but that of an administrator, while the account is active',
  two: 'two approvers, with invented approvals',
  '': 'refused',
}

/**
 * Valid commands that are refused for a reason other than a missing approver, each with the
 * expected code.
 */
const OTHER_REFUSALS: Readonly<Partial<Record<CommandType, string>>> = {
  RequestWithdrawal: 'STANDING_CONFLICT',
  // The test data contain movements of money, so the currency is fixed.
  ChooseCurrency: 'CURRENCY_FIXED',
}

async function isRecorded(
  token: string,
  { type, way }: { type: CommandType; way: Way },
): Promise<boolean> {
  const amountMinor = way === 'one, small' ? SMALL : THRESHOLD
  const data = await samples[type](amountMinor)
  const command = WAYS[way](createServerCommand(type, data))
  const response = await fetch(`${scene.url}/v1/commands`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: toJson({ ledger: 1, lane: 'interactive', commands: [command] }),
  })
  if (response.status === 403) return false
  // The cast is safe because the answer of this call has this property.
  const { answers } = (await response.json()) as { answers: { outcome: string; code?: string }[] }
  const [answer] = answers
  const isRefused = answer?.outcome === 'refused'
  // A refusal with a code other than the expected code means that the sample command is invalid.
  // The credential was then not tested.
  const code = OTHER_REFUSALS[type] ?? 'SECOND_APPROVER_NEEDED'
  if (isRefused) expect([type, way, answer.code]).toEqual([type, way, code])
  if (type === 'SetDualControl' && answer?.outcome === 'recorded') {
    await scene.prepare(createServerCommand('SetDualControl', { mode: 'required' }))
  }
  return answer?.outcome === 'recorded'
}

/** Returns the table in SECURITY.md as a map from each command to the words in its row. */
async function readTable(): Promise<Record<string, string>> {
  const text = await readFile(join(ROOT, 'SECURITY.md'), 'utf8')
  const part = text.slice(text.indexOf("## The gateway's credential"))
  const rows = [...part.matchAll(/^\| (`.+?) +\| (.+?) +\|$/gm)]
  return Object.fromEntries(
    rows.flatMap(([, names = '', words = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, words]),
    ),
  )
}

/** Returns what a thief of this credential can do with each command, in the words of the table. */
async function findCommandAccess(token: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const type of TYPES) {
    const ways: Way[] = []
    for (const way of NAMES) if (await isRecorded(token, { type, way })) ways.push(way)
    const key = ways.join(', ')
    found[type] = OUTCOMES[key] ?? key
  }
  return found
}

test('the table in SECURITY.md states exactly what the credential of the gateway can do alone', async () => {
  expect(await findCommandAccess(TOKENS.gateway)).toEqual(await readTable())
})

test('sabotaged twin: the table is not true of the credential of the worker', async () => {
  const found = await findCommandAccess(TOKENS['gateway-worker'])
  expect(found).not.toEqual(await readTable())
  expect(found.FundWallet).toBe('refused')
})

test('the credential reads everything except metrics, and signs no month', async () => {
  const call = (method: string, path: string, more: Record<string, string> = {}) =>
    fetch(`${scene.url}${path}`, {
      method,
      headers: {
        ...{ authorization: `Bearer ${TOKENS.gateway}`, 'content-type': 'application/json' },
        ...more,
      },
      ...(method === 'POST' ? { body: JSON.stringify({ ledger: 1 }) } : {}),
    }).then(({ status }) => status)
  expect(await call('POST', '/v1/queries/rules')).toBe(200)
  expect(await call('GET', '/v1/events?ledger=1&after=0&wait=0&limit=1')).toBe(200)
  expect(await call('POST', '/v1/trial-balances')).toBe(403)
  // Metrics are open to direct calls from this machine. This header marks the call as forwarded.
  expect(await call('GET', '/metrics', { 'x-forwarded-for': '192.0.2.1' })).toBe(403)
})
