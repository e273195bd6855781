import { expect, test } from 'vitest'
import { createLedgerClient } from './client.ts'
import { LedgerQueryRefused, LedgerUnknown, LedgerUnreachable } from './client-failures.ts'

const answerWith = (status: number) =>
  createLedgerClient({
    url: 'http://ledger.test',
    token: 'x',
    fetch: async () => ({ ok: false, status, json: async () => ({ message: 'no' }) }),
  })

test('a query that the ledger does not accept is not an unreachable ledger', async () => {
  const asking = answerWith(400).ask('rules', {})
  await expect(asking).rejects.toThrow(LedgerQueryRefused)
  await expect(asking).rejects.not.toThrow(LedgerUnreachable)
  await expect(asking).rejects.toThrow('the ledger answered 400')
})

test.each([
  [403, LedgerUnreachable],
  [404, LedgerUnknown],
  [413, LedgerUnreachable],
  [429, LedgerUnreachable],
  [500, LedgerUnreachable],
  [503, LedgerUnreachable],
])('a query that is answered with %i may be answered later', async (status, failure) => {
  await expect(answerWith(status).ask('rules', {})).rejects.toThrow(failure)
})

test('a malformed call that is no query stays a failure of the call', async () => {
  await expect(answerWith(400).closeMonths()).rejects.toThrow(LedgerUnreachable)
})
