import { type Command, createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpLedger, startHttpLedgers } from '../../../test/support/http-ledgers.ts'
import { requireRecorded } from '../../../test/support/test-ledger.ts'
import { hashRequest } from '../../log/envelope.ts'

const DAY_MS = 86_400_000
const AHEAD_MS = 1_000

let ledgers: Awaited<ReturnType<typeof startHttpLedgers>>
let opened: HttpLedger
beforeAll(async () => {
  ledgers = await startHttpLedgers()
  opened = await ledgers.open()
  const { ledger } = opened
  for (const approverId of ['ada', 'bob']) {
    await requireRecorded(ledger.submit('AddApprover', { approverId }, { actor: 'system:server' }))
  }
  ledger.clock.set(Date.now() + 2 * DAY_MS)
})
afterAll(async () => {
  await opened?.close()
  await ledgers?.close()
})

/** A command of Ada that Bob approved, by a clock that is ahead of that of the ledger. */
function createApprovedCommand(): Command {
  const nowMs = opened.ledger.clock.now()
  const command = {
    type: 'FundReserve',
    data: { transactionId: createId(nowMs), amountMinor: 500n, note: null },
    actor: 'admin:ada',
    key: null,
    requestId: null,
    effectiveAt: null,
  } as const
  const approvedAt = new Date(nowMs + AHEAD_MS).toISOString()
  const commandSha256 = hashRequest(command).requestHash.toString('hex')
  return {
    ...command,
    approval: { commandSha256, approvals: [{ approver: 'admin:bob', approvedAt }] },
  }
}

test('an approval by a clock that is slightly ahead waits for the clock of the ledger', async () => {
  expect(await opened.client.submit(createApprovedCommand())).toMatchObject({ outcome: 'recorded' })
})

test('sabotaged twin: without the wait, the ledger refuses the approval for ever', async () => {
  const command = createApprovedCommand()
  const { clock, parts } = opened.ledger
  // However long this test takes, the clock does not reach the time of the approval.
  clock.set(clock.now() - DAY_MS)
  const [answer] = (await parts.writer.submit([command], 'interactive')) ?? []
  expect(answer).toMatchObject({ outcome: 'refused', code: 'APPROVAL_INVALID' })
})
