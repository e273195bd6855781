import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { record } from '../../../testing/further-ledger.ts'
import { extractText } from '../../../testing/pdf-text.ts'
import { expectOk, getId, type Scene, startScene } from '../../../testing/scene.ts'
import { setSettings } from '../../../testing/test-browser.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { deliverMail } from '../../platform/mail/deliver.ts'
import type { MailPayload } from '../../platform/mail/mail-job.ts'
import { createSettings } from '../../platform/settings-store/site-settings.ts'
import { setSiteFormat } from '../../platform/site-format.ts'
import { createStatementMaker } from './make-statements.ts'
import { hasActivity, readMonthActivity } from './month-activity.ts'

/** The time in milliseconds from the end of a month to the signature of its trial balance. */
const CLOSING_MS = 120_000

let scene: Scene
let folder: string
let worker: Database
const mailed: { id?: string }[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-clock-'))
  const clockFile = join(folder, 'clock')
  const now = new Date()
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  // The clock of the ledger starts in the middle of the month, so that no month ends before its end
  // is tested.
  await writeFile(clockFile, String(Date.UTC(year, month, 15) - now.getTime()))
  scene = await startScene({ CAIRN_CLOCK_FILE: clockFile })
  const { gateway, investor } = scene
  const general = { siteName: 'Rock', defaultCurrency: 'EUR', timezone: 'Asia/Kolkata' }
  await setSettings(gateway, { general })
  await expectOk(scene.call(investor, 'PUT', '/users/me/preferences', { monthlyStatement: true }))
  await writeFile(clockFile, String(Date.UTC(year, month + 1) + CLOSING_MS - now.getTime()))
  await gateway.ledger.closeMonths()
  worker = openDatabase({
    url: gateway.workerUrl,
    applicationName: 'test',
    onError: () => {},
  })
})
afterAll(async () => {
  await worker?.destroy()
  // The default format is restored, because the format is stored in a module that the next test
  // file also uses.
  setSiteFormat({ currency: 'USD', timeZone: 'UTC' })
  await scene?.gateway.stop()
  await rm(folder, { recursive: true, force: true })
})

interface Letter {
  to: { address: string }
  attachments: { filename: string; content: string | Buffer }[]
}

function createTestStatementMaker() {
  const { deps } = scene.gateway
  const settings = createSettings(worker, { isDemo: false, publicUrl: 'https://cairn.test' })
  const insert = async (_queue: string, jobs: { id?: string }[]) => {
    mailed.push(...jobs)
    return null
  }
  return createStatementMaker({
    db: worker,
    ledgers: deps.ledgers,
    clock: deps.clock,
    settings,
    boss: { insert },
    log: pino({ level: 'silent' }),
  })
}

async function download(path: string): Promise<{ status: number; bytes: Buffer; type: string }> {
  const response = await fetch(`${scene.gateway.url}${path}`, {
    headers: { cookie: scene.investor.cookie },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, bytes, type: response.headers.get('content-type') ?? '' }
}

describe('statements', () => {
  test('are made once per signed month by concurrent workers, and mailed on request', async () => {
    const [one, other] = [createTestStatementMaker(), createTestStatementMaker()]
    await Promise.all([one(), other()])
    await Promise.all([one(), other()])
    await createTestStatementMaker()()
    const papers = await worker
      .selectFrom('platform.paper')
      .select(['investor_id', 'subject'])
      .execute()
    expect(papers).toHaveLength(1)
    expect(papers[0]?.investor_id).toBe(scene.investor.userId)
    expect(new Set(mailed.map(({ id }) => id)).size).toBe(1)
  })

  test('state the balances, the movements and the signature', async () => {
    const list = await expectOk<{ statements: { path: string; month: string }[] }>(
      scene.call(scene.investor, 'GET', '/users/me/statements'),
    )
    expect(list.statements).toHaveLength(1)
    const [statement] = list.statements
    const file = await download(statement?.path ?? '')
    expect(file).toMatchObject({ status: 200, type: 'application/pdf' })
    expect(file.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    const words = extractText(file.bytes)
    const { verifierKeys } = await scene.gateway.ledger.ask('checkpoint', {})
    expect(verifierKeys).toHaveLength(1)
    for (const key of verifierKeys) expect(words.replaceAll('\n', '')).toContain(key)
    // The investor deposited 500 and invested 100.
    for (const said of [
      '500.00',
      '-100.00',
      '400.00',
      'Invested',
      'trial-balance',
      'Deposit',
      '\x97 ',
      'Rock',
      'All amounts in euros, all times in Asia/Kolkata.',
    ]) {
      expect(words).toContain(said)
    }
  })

  test('are not available to other users', async () => {
    const { id } = await worker.selectFrom('platform.paper').select('id').executeTakeFirstOrThrow()
    const strange = await scene.call(scene.stranger, 'GET', `/users/me/statements/${id}`)
    expect(strange.status).toBe(404)
    const other = `/users/me/certificates/${scene.investmentId}`
    expect((await scene.call(scene.stranger, 'GET', other)).status).toBe(404)
  })

  test('add up: the opening balance plus the movements is the closing balance of each account', async () => {
    const { ledger } = scene.gateway
    const { size } = await ledger.ask('head', { size: null })
    const { investorId } = { investorId: scene.investor.userId }
    const whole = await readMonthActivity(ledger, { investorId, span: { from: 0n, to: size } })
    const half = size / 2n
    const first = await readMonthActivity(ledger, { investorId, span: { from: 0n, to: half } })
    const second = await readMonthActivity(ledger, { investorId, span: { from: half, to: size } })
    expect(hasActivity(whole)).toBe(true)
    for (const [place, account] of whole.accounts.entries()) {
      const moved = account.lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
      expect(account.openingMinor + moved).toBe(account.closingMinor)
      expect(second.accounts[place]?.openingMinor).toBe(first.accounts[place]?.closingMinor)
      expect(second.accounts[place]?.closingMinor).toBe(account.closingMinor)
    }
  })
})

test('the statement and the signed month are mailed with their files', async () => {
  const { ledger, deps } = scene.gateway
  const sent: Letter[] = []
  // The cast is safe because `deliverMail` passes such an object.
  const transport = { sendMail: async (mail: unknown) => void sent.push(mail as Letter) }
  const publicUrl = 'https://cairn.test'
  const settings = createSettings(worker, { isDemo: false, publicUrl })
  const delivery = { db: worker, ledger, settings, transport, publicUrl }
  const deliver = (payload: MailPayload) =>
    deliverMail({ ...delivery, clock: deps.clock, seal: deps.seal }, payload)
  const paper = await worker
    .selectFrom('platform.paper')
    .select(['id', 'subject', 'sha256'])
    .where('kind', '=', 'statement')
    .executeTakeFirstOrThrow()
  // The ledger signs the first checkpoint within a second.
  const readCheckpoint = async () => (await ledger.ask('checkpoint', {})).checkpoint
  await expect.poll(readCheckpoint).not.toBeNull()
  await deliver({ source: 'paper', paperId: paper.id })
  await deliver({ source: 'month', month: paper.subject, to: 'audit@example.com' })
  await deliver({ source: 'month', month: paper.subject, to: 'audit@example.com' })
  expect(sent.map(({ attachments }) => attachments.map(({ filename }) => filename))).toEqual([
    [`statement-${paper.subject}.pdf`],
    [`trial-balance-${paper.subject}.txt`, 'checkpoint.txt'],
  ])
  const content = Buffer.from(sent[0]?.attachments[0]?.content ?? '')
  expect(createHash('sha256').update(content).digest('hex')).toBe(paper.sha256)
  expect(sent[1]?.to.address).toBe('audit@example.com')
  const note = String(sent[1]?.attachments[0]?.content)
  expect(note).toContain(`trial-balance ${paper.subject}`)
})

test('a certificate is created at its first request, and the file never changes', async () => {
  const { certificates } = await expectOk<{ certificates: { path: string }[] }>(
    scene.call(scene.investor, 'GET', '/users/me/certificates'),
  )
  expect(certificates).toHaveLength(1)
  const path = certificates[0]?.path ?? ''
  const [first, second] = await Promise.all([download(path), download(path)])
  expect(first.bytes.equals(second.bytes)).toBe(true)
  expect((await download(path)).bytes.equals(first.bytes)).toBe(true)
  const words = extractText(first.bytes)
  // \x80 is the euro sign in the encoding of the font.
  for (const said of ['Ten days', '\x80100.00', '\x8010.00', '10 days', 'Asia/Kolkata']) {
    expect(words).toContain(said)
  }
})

test('an investment that its investor has cancelled gets no certificate', async () => {
  const { gateway, investor, planId, call } = scene
  const { version: _version, ...rules } = (await gateway.ledger.ask('rules', {})).rules
  await record(gateway.ledger.unrecorded, 'SetMoneyRules', {
    rules: { ...rules, coolingOffHours: 24 },
  })
  const opening = { plan: planId, amount: 60 }
  const id = getId(
    await expectOk(call(investor, 'POST', '/users/me/investments', opening)),
    'investment',
  )
  await expectOk(call(investor, 'POST', `/users/me/investments/${id}/cancel`))
  expect(await download(`/api/v1/users/me/certificates/${id}`)).toMatchObject({ status: 404 })
  const list = await expectOk<{ certificates: { investmentId: string }[] }>(
    call(investor, 'GET', '/users/me/certificates'),
  )
  const listed = list.certificates.map(({ investmentId }) => investmentId)
  expect(listed).toEqual([scene.investmentId])
})
