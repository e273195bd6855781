import type { AdminSettings } from '@cairn/gateway-contracts'
import type { Answer } from '@cairn/ledger-contracts'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approveChange, getRequestedChange, readChange } from '../../../testing/change-requests.ts'
import { makeApprovers } from '../../../testing/dual-control.ts'
import { expectOk } from '../../../testing/scene.ts'
import {
  addUser,
  openVisit,
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
} from '../../../testing/test-gateway.ts'
import { createChangeRegistry } from '../../change-kinds.ts'
import { finishChanges } from '../change-requests/execute.ts'

const log = pino({ level: 'silent' })

let gateway: TestGateway
let admin: Visitor
let second: Visitor
beforeAll(async () => {
  gateway = await startTestGateway()
  admin = await addAdmin()
  second = await addAdmin()
  await makeApprovers(gateway, [admin.userId, second.userId])
})
afterAll(() => gateway?.stop())

const addAdmin = async () =>
  openVisit(gateway, await addUser(gateway, { role: 'admin', status: 'active' }))

async function loadSettings(): Promise<AdminSettings> {
  const request = { method: 'GET', path: '/admin/settings' }
  return (await expectOk<{ settings: AdminSettings }>(send(gateway, admin, request))).settings
}

test('the currency is chosen together with a setting that two administrators approve', async () => {
  const body = await loadSettings()
  body.general.defaultCurrency = 'EUR'
  body.security.loginAttempts += 1
  const asked = await send(gateway, admin, { method: 'POST', path: '/admin/settings', body })
  const { id } = getRequestedChange(asked)
  expect(gateway.ledger.commands.some(({ type }) => type === 'ChooseCurrency')).toBe(false)
  // The first attempt is recorded, but its answer is lost.
  const sent: Promise<Answer>[] = []
  gateway.ledger.answerWith = (command) => {
    if (command.type !== 'ChooseCurrency') return null
    sent.push(gateway.ledger.unrecorded.submit(command))
    return { outcome: 'failed', code: 'UNAVAILABLE', message: 'the answer was lost' }
  }
  expect((await approveChange(gateway, second, id)).status).toBe(503)
  gateway.ledger.answerWith = () => null
  expect(await Promise.all(sent)).toMatchObject([{ outcome: 'recorded' }])
  const { deps } = gateway
  const nowMs = deps.clock.now()
  await finishChanges({ ...deps, registry: createChangeRegistry(deps) }, { nowMs, log })
  expect(await readChange(gateway, second, id)).toMatchObject({ state: 'executed', failure: null })
  const saved = await loadSettings()
  expect(saved.general.defaultCurrency).toBe('EUR')
  expect(saved.security.loginAttempts).toBe(body.security.loginAttempts)
})

test('sabotaged twin: without the approvals, the ledger refuses the currency', async () => {
  const answer = await gateway.ledger.unrecorded.submit({
    type: 'ChooseCurrency',
    data: { asset: 'CHF/2' },
    actor: 'system:change-requests',
    key: null,
    requestId: null,
    effectiveAt: null,
  })
  expect(answer).toMatchObject({ outcome: 'refused', code: 'SECOND_APPROVER_NEEDED' })
})
