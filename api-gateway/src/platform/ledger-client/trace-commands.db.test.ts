import { createId } from '@cairn/ledger-contracts'
import { type Logger, pino } from 'pino'
import { expect, test } from 'vitest'
import { addSecondLedger } from '../../../testing/further-ledger.ts'
import {
  addUser,
  openVisit,
  send,
  startTestGateway,
  type TestGateway,
} from '../../../testing/test-gateway.ts'
import { createLedgerHomes } from './ledger-homes.ts'
import { createSiteClient } from './site-client.ts'
import { createSiteLedgers } from './site-ledgers.ts'
import { traceCommands } from './trace-commands.ts'

function createLog(): { log: Logger; lines: readonly Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  return { log, lines }
}

/** Creates the ledgers of the site in the same way as `serve.ts`. */
function createTracedLedgers({ db, deps, otherLedger }: TestGateway, log: Logger) {
  return createSiteLedgers({
    first: 1,
    connect: otherLedger,
    homes: createLedgerHomes(db, deps.clock),
    trace: (client) => traceCommands(client, log),
  })
}

test('an event is found in the log by the request that it was recorded for', async () => {
  const { log, lines } = createLog()
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

test('a command to a chosen ledger is logged once, with the number of its event in the site', async () => {
  const { log, lines } = createLog()
  const gateway = await startTestGateway({ ledgerEnvironment: { LEDGERS: '2' } })
  try {
    await addSecondLedger(gateway.db)
    const ledgers = createTracedLedgers(gateway, log)
    for (const client of [createSiteClient(ledgers), ledgers.getClient(2)]) {
      await client.submit({
        type: 'FundReserve',
        data: { transactionId: createId(Date.now()), amountMinor: 100n, note: null },
        actor: 'admin:ada',
        key: null,
        requestId: 'a-request',
        effectiveAt: null,
      })
    }
    const base = { msg: 'recorded', requestId: 'a-request', type: 'ReserveFunded' }
    expect(lines).toEqual([
      expect.objectContaining({ ...base, seq: '0' }),
      expect.objectContaining({ ...base, seq: '2000000000000' }),
    ])
  } finally {
    await gateway.stop()
  }
})
