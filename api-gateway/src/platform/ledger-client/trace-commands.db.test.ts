import { pino } from 'pino'
import { expect, test } from 'vitest'
import { addUser, openVisit, send, startTestGateway } from '../../../testing/test-gateway.ts'
import { traceCommands } from './trace-commands.ts'

test('an event is found in the log by the request that it was recorded for', async () => {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const gateway = await startTestGateway({
    alterDeps: (deps) => ({ ...deps, ledger: traceCommands(deps.ledger, log) }),
  })
  try {
    const admin = await openVisit(
      gateway,
      await addUser(gateway, { role: 'admin', status: 'active' }),
    )
    const body = { amount: 1_000, note: 'paid in' }
    const { status, headers } = await send(gateway, admin, {
      method: 'POST',
      path: '/admin/reserve',
      body,
    })
    expect(status).toBe(201)
    const { size } = await gateway.ledger.ask('head', { size: null })
    const recorded = lines.filter(({ msg, seq }) => msg === 'recorded' && seq === String(size - 1n))
    const requestId = headers.get('x-request-id')
    expect(recorded).toEqual([expect.objectContaining({ type: 'ReserveFunded', requestId })])
  } finally {
    await gateway.stop()
  }
})
