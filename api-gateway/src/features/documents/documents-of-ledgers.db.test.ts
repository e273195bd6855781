import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createId, type LedgerClient } from '@cairn/ledger-contracts'
import { listKeyTexts } from '@cairn/ledger-contracts/proof'
import { PATIENCE_MS } from '@cairn/local/time-limit'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  addUserOfSecondLedger,
  fund,
  record,
  startGatewayOfTwoLedgers,
  TEN_DAY_TERMS,
} from '../../../testing/further-ledger.ts'
import { extractText } from '../../../testing/pdf-text.ts'
import {
  addUser,
  openVisit,
  type TestGateway,
  type Visitor,
} from '../../../testing/test-gateway.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { openForPerson } from '../../platform/erasure/person-key.ts'
import { deliverMail } from '../../platform/mail/deliver.ts'
import { createSettings } from '../../platform/settings-store/site-settings.ts'
import { createStatementMaker } from './make-statements.ts'

const CLOSING_MS = 120_000

let gateway: TestGateway
let worker: Database
let folder: string
let clockFile: string
let east: Visitor
let west: Visitor
let planId: string
/** The investments of the person of ledger 2. */
const investmentIds: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-clock-'))
  clockFile = join(folder, 'clock')
  const now = new Date()
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  // The clock of the ledgers starts in the middle of the month, so that no month ends before its
  // end is tested.
  await writeFile(clockFile, String(Date.UTC(year, month, 15) - now.getTime()))
  gateway = await startGatewayOfTwoLedgers({ CAIRN_CLOCK_FILE: clockFile })
  worker = openDatabase({ url: gateway.workerUrl, applicationName: 'test', onError: () => {} })
  const second = gateway.otherLedger(2)
  east = await openVisit(gateway, await addUser(gateway, { role: 'user', status: 'active' }))
  west = await openVisit(gateway, await addUserOfSecondLedger(gateway))
  await fund(gateway.otherLedger(1), { investorId: east.userId, amountMinor: 5_000n })
  await fund(second, { investorId: west.userId, amountMinor: 7_000n })
  planId = createId(Date.now())
  await record(second, 'DefinePlan', { planId, terms: TEN_DAY_TERMS })
  investmentIds.push(await invest(), await invest())
  await writeFile(clockFile, String(Date.UTC(year, month + 1) + CLOSING_MS - now.getTime()))
  for (const ledger of [1, 2]) {
    await gateway.otherLedger(ledger).closeMonths()
    await vi.waitFor(async () => {
      const { checkpoint } = await gateway.otherLedger(ledger).ask('checkpoint', {})
      expect(checkpoint).not.toBeNull()
    }, PATIENCE_MS)
  }
})
afterAll(async () => {
  await worker?.destroy()
  await gateway?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Opens an investment of the person of ledger 2, and returns its id. */
async function invest(): Promise<string> {
  const investmentId = createId(Date.now())
  const opening = { investmentId, investorId: west.userId, planId, planVersion: null }
  await record(gateway.otherLedger(2), 'OpenInvestment', { ...opening, amountMinor: 1_000n })
  return investmentId
}

/** Returns the keys of the ledger as one line, as documents print them. */
async function readKey(ledger: number): Promise<string> {
  const { verifierKeys } = await gateway.otherLedger(ledger).ask('checkpoint', {})
  return listKeyTexts(verifierKeys).join('')
}

async function makeStatements(): Promise<void> {
  const settings = createSettings(worker, { isDemo: false, publicUrl: 'https://cairn.test' })
  const { ledgers, clock } = gateway.deps
  const boss = { insert: async () => null }
  const log = pino({ level: 'silent' })
  const run = createStatementMaker({ db: worker, ledgers, clock, settings, boss, log })
  // The second run finds that all people have their statements, and ends the month.
  await run()
  await run()
}

async function readStatement(userId: string): Promise<string> {
  const { sealed } = await worker
    .selectFrom('platform.paper')
    .select('sealed')
    .where('investor_id', '=', userId)
    .where('kind', '=', 'statement')
    .executeTakeFirstOrThrow()
  const bytes = await openForPerson(worker, { userId, sealed })
  return extractText(bytes ?? Buffer.of()).replaceAll(/\s/g, '')
}

/** Returns the text of the certificate, without line breaks and spaces. */
async function readCertificate(investmentId: string): Promise<string> {
  const path = `/api/v1/users/me/certificates/${investmentId}`
  const response = await fetch(`${gateway.url}${path}`, { headers: { cookie: west.cookie } })
  expect(response.status).toBe(200)
  return extractText(Buffer.from(await response.arrayBuffer())).replaceAll(/\s/g, '')
}

test('a certificate has the keys, the checkpoint and the number of the ledger of its investor', async () => {
  const [investmentId = ''] = investmentIds
  const words = await readCertificate(investmentId)
  expect(words).toContain(await readKey(2))
  expect(words).not.toContain(await readKey(1))
  const { investment } = await gateway.otherLedger(2).ask('investment', { investmentId })
  expect(words).toContain(`event${investment?.seq}proves`)
})

test('sabotaged twin: without the home of the investor, it has the keys of another ledger', async () => {
  const { deps } = gateway
  const { ledgers } = deps
  // The other ledger has an event with the number of the investment.
  const { size } = await gateway.otherLedger(2).ask('head', { size: null })
  const other = gateway.otherLedger(1)
  while ((await other.ask('head', { size: null })).size < size) {
    await fund(other, { investorId: east.userId, amountMinor: 100n })
  }
  deps.ledgers = { ...ledgers, findHome: async () => ledgers.first }
  try {
    const words = await readCertificate(investmentIds[1] ?? '')
    expect(words).toContain(await readKey(1))
    expect(words).not.toContain(await readKey(2))
  } finally {
    deps.ledgers = ledgers
  }
})

/**
 * Opens an investment and gets its certificate at once. Returns the number of its event, and the
 * number of events in the checkpoint that the certificate has.
 */
async function certifyNewInvestment(): Promise<{ seq: bigint; signed: bigint }> {
  const investmentId = await invest()
  const words = await readCertificate(investmentId)
  const { investment } = await gateway.otherLedger(2).ask('investment', { investmentId })
  const signed = words.match(/theledgerhad([\d,]+)events/)?.[1]?.replaceAll(',', '')
  return { seq: investment?.seq ?? 0n, signed: BigInt(signed ?? '0') }
}

test('the certificate of a new investment has a checkpoint that covers it', async () => {
  const { seq, signed } = await certifyNewInvestment()
  expect(seq).toBeGreaterThan(0n)
  expect(signed).toBeGreaterThan(seq)
})

test('sabotaged twin: if no receipt is asked for, the checkpoint does not cover it', async () => {
  const { deps } = gateway
  const { ledgers } = deps
  const ignoreReceipts = (client: LedgerClient): LedgerClient => ({
    ...client,
    // The cast is safe because the route does not use the answer.
    ask: (name, request) =>
      name === 'receipt' ? Promise.resolve({} as never) : client.ask(name, request),
  })
  deps.ledgers = {
    ...ledgers,
    getOwnClient: (number) => ignoreReceipts(ledgers.getOwnClient(number)),
  }
  try {
    // On a busy machine, the minute after which the ledger signs anyway can end in between.
    await vi.waitFor(async () => {
      const { seq, signed } = await certifyNewInvestment()
      expect(signed).toBeLessThanOrEqual(seq)
    }, PATIENCE_MS)
  } finally {
    deps.ledgers = ledgers
  }
})

test('the statements of each ledger have its own lines, signature and keys', async () => {
  await makeStatements()
  const [first, second] = [await readKey(1), await readKey(2)]
  const eastern = await readStatement(east.userId)
  const western = await readStatement(west.userId)
  expect(eastern).toContain(first)
  expect(eastern).not.toContain(second)
  expect(western).toContain(second)
  expect(western).not.toContain(first)
  expect(eastern).toContain('50.00')
  expect(western).toContain('70.00')
  expect(western).toContain('-10.00')
  const names = await worker
    .selectFrom('platform.cursor')
    .select('name')
    .where('name', 'like', 'statements.%')
    .execute()
  const months = names.map(({ name }) => name.replace(/\d{4}-\d\d/, 'MONTH')).toSorted()
  expect(months).toEqual(['statements.MONTH', 'statements.MONTH@2'])
})

test('the auditors receive the signed month of each ledger', async () => {
  const { deps } = gateway
  const sent: { attachments: { filename: string; content: string }[] }[] = []
  const transport = { sendMail: async (mail: unknown) => void sent.push(mail as (typeof sent)[0]) }
  const publicUrl = 'https://cairn.test'
  const settings = createSettings(worker, { isDemo: false, publicUrl })
  const delivery = { ...deps, db: worker, settings, transport, publicUrl }
  const { subject: month } = await worker
    .selectFrom('platform.paper')
    .select('subject')
    .where('kind', '=', 'statement')
    .executeTakeFirstOrThrow()
  const mail = { source: 'month', month, to: 'audit@example.com' } as const
  await deliverMail(delivery, mail)
  await deliverMail(delivery, { ...mail, ledger: 2 })
  expect(sent.map(({ attachments }) => attachments[0]?.filename)).toEqual([
    `trial-balance-${month}.txt`,
    `trial-balance-${month}-ledger-2.txt`,
  ])
  expect(sent.map(({ attachments }) => attachments[0]?.content.includes('/ledger/2'))).toEqual([
    false,
    true,
  ])
})
