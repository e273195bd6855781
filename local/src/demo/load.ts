import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import {
  ApiError,
  createPaymentOption,
  listMyBanks,
  listPaymentOptions,
  startVerification,
} from '@cairn/gateway-contracts'
import {
  COMMANDS_PER_REQUEST_MAX,
  type Command,
  createLedgerClient,
  type LedgerClient,
} from '@cairn/ledger-contracts'
import { DEMO_LOGINS } from './logins.ts'
import { DEMO_OPTIONS } from './options.ts'
import { DEMO_ADMIN, DEMO_INVESTORS, type DemoPerson } from './people.ts'
import { addPlanSources } from './plan-sources.ts'
import { drawPicture } from './receipt.ts'
import { signIn } from './site-client.ts'
import type { StoryOption } from './stage.ts'
import { createStory, STORY_DAYS } from './story.ts'
import { DAY_MS, type StoryInvestor } from './timeline.ts'
import { createAdmin, importUsers, type NewUser } from './users.ts'
import { createWaitingDeposits } from './waiting.ts'

const [, INVESTOR_LOGIN] = DEMO_LOGINS
/** The investors who have a pending deposit of today. */
const WAITING = DEMO_INVESTORS.filter((_, index) => index % 3 === 1).map(({ email }) => ({
  email,
  password: INVESTOR_LOGIN.password,
}))

/** An interrupted load leaves fewer events of the platform before its own first event. */
const EVENTS_READ = 100

type Imported = Awaited<ReturnType<typeof importUsers>>

export interface DemoLoad {
  readonly gatewayUrl: string
  readonly ledgerUrl: string
  readonly ledger: number
  readonly ledgerToken: string
  readonly gatewayDatabaseUrl: string
  /**
   * The file that is written after the demo is loaded. If this file exists, nothing is loaded. Null
   * if the data must always be loaded.
   */
  readonly markerFile: string | null
  readonly log: (line: string) => void
  readonly signal: AbortSignal
}

/**
 * Loads the demo data into an empty platform through its public interfaces. After an interruption,
 * a repeated call loads the remaining data.
 */
export async function loadDemo(load: DemoLoad): Promise<void> {
  const { markerFile } = load
  if (markerFile !== null && existsSync(markerFile)) return
  const began = Date.now()
  load.log('creating the demo data: 12 investors and 90 days')
  const ledger = createLedgerClient({
    url: load.ledgerUrl,
    ledger: load.ledger,
    token: load.ledgerToken,
  })
  const nowMs = await findStoryTime(load, ledger)
  if (nowMs === null) {
    load.log('the ledger already has other events: no demo data is added')
    return
  }
  const admins = await createAdmin(load.gatewayDatabaseUrl, DEMO_ADMIN)
  const users = await importUsers(load.gatewayDatabaseUrl, createInvestors(nowMs))
  const options = await preparePaymentOptions(load.gatewayUrl)
  const investors: StoryInvestor[] = []
  for (const person of DEMO_INVESTORS) {
    load.signal.throwIfAborted()
    investors.push(await prepareInvestor(load.gatewayUrl, person, users))
  }
  const story = createStory({
    nowMs,
    adminId: getUser(admins, DEMO_ADMIN.email).id,
    investors,
    options,
  })
  await submitAll(ledger, story.opening, load.signal)
  const firstPicture = DEMO_INVESTORS.length
  await createWaitingDeposits({ ...load, options, people: WAITING, firstPicture })
  const history = story.history()
  await submitAll(ledger, history, load.signal)
  await addPlanSources(load.gatewayUrl)
  await startFirstVerification(load.gatewayUrl)
  if (markerFile !== null) await writeFile(markerFile, `${new Date(nowMs).toISOString()}\n`)
  const seconds = ((Date.now() - began) / 1000).toFixed(1)
  load.log(
    `created the demo data: ${story.opening.length + history.length} commands in ${seconds} s`,
  )
}

/**
 * Returns the end of the demo's history, which a repeated load reads from the log. Returns null if
 * the log has other data.
 */
async function findStoryTime(load: DemoLoad, ledger: LedgerClient): Promise<number | null> {
  const { events } = await ledger.events({ after: -1n, waitSeconds: 0, limit: EVENTS_READ })
  // The platform records an approver by itself as soon as the administrator of the demo exists.
  const first = events.find(({ actor }) => !actor.startsWith('system:'))
  if (first !== undefined) {
    const isDemo = Date.parse(first.recordedAt) - Date.parse(first.effectiveAt) > DAY_MS
    return isDemo ? Date.parse(first.effectiveAt) + STORY_DAYS * DAY_MS : null
  }
  const isNew = events.length === 0
  const isInterrupted = !isNew && events.length < EVENTS_READ && (await hasDemoAdmin(load))
  return isNew || isInterrupted ? Date.now() : null
}

async function hasDemoAdmin({ gatewayUrl }: DemoLoad): Promise<boolean> {
  try {
    await signIn(gatewayUrl, DEMO_ADMIN)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false
    throw error
  }
}

function createInvestors(nowMs: number): readonly NewUser[] {
  const openedMs = nowMs - STORY_DAYS * DAY_MS
  return DEMO_INVESTORS.map((person, index) => {
    const { email, name, country, phone, gender, broughtBy, address, bank } = person
    return {
      email,
      name,
      country,
      phone,
      gender,
      referrer: broughtBy,
      firstAddress: address,
      password: INVESTOR_LOGIN.password,
      createdAt: new Date(openedMs + person.joinedOnDay * DAY_MS).toISOString(),
      bank: {
        bankName: bank.name,
        accountNumber: toSampleNumber(email),
        accountName: name,
        accountType: bank.type,
      },
      // A picture that two people use is a warning for the administrator.
      paymentProof: drawPicture(index).toString('base64'),
    }
  })
}

/** Returns ten digits that are always the same for the email. */
function toSampleNumber(email: string): string {
  const digest = createHash('sha256').update(email).digest()
  return String(digest.readUIntBE(0, 6) % 10_000_000_000).padStart(10, '0')
}

async function preparePaymentOptions(
  gatewayUrl: string,
): Promise<readonly [StoryOption, ...StoryOption[]]> {
  const admin = await signIn(gatewayUrl, DEMO_ADMIN)
  const existing = (await admin.call(listPaymentOptions)).paymentOptions
  const found: StoryOption[] = []
  for (const body of DEMO_OPTIONS) {
    const isSame = (option: { bank: string }) => option.bank === body.bank
    const option =
      existing.find(isSame) ?? (await admin.call(createPaymentOption, { body })).paymentOption
    found.push({ id: option.id, type: option.payOption })
  }
  const [first, ...rest] = found
  if (first === undefined) throw new Error('the demo has no payment options')
  return [first, ...rest]
}

async function prepareInvestor(
  gatewayUrl: string,
  person: DemoPerson,
  users: Imported,
): Promise<StoryInvestor> {
  const login = { email: person.email, password: INVESTOR_LOGIN.password }
  const client = await signIn(gatewayUrl, login)
  const [bank] = (await client.call(listMyBanks)).accounts
  if (bank === undefined) throw new Error(`the demo user ${person.email} has no bank account`)
  const { id, paymentProof } = getUser(users, person.email)
  if (paymentProof === null) throw new Error(`the demo user ${person.email} has no payment proof`)
  return {
    id,
    email: person.email,
    joinedOnDay: person.joinedOnDay,
    referrerId: person.broughtBy === null ? null : getUser(users, person.broughtBy).id,
    bankAccountId: bank.id,
    bankAccountSha256: bank.sha256,
    receipt: paymentProof,
    wallets: { balanceMinor: 0n, profitMinor: 0n },
  }
}

/**
 * Starts the verification that a real platform of this age has had every night. Does not wait for
 * its result.
 */
async function startFirstVerification(gatewayUrl: string): Promise<void> {
  const admin = await signIn(gatewayUrl, DEMO_ADMIN)
  await admin.call(startVerification, { body: { since: '0' } })
}

async function submitAll(
  ledger: LedgerClient,
  commands: readonly Command[],
  signal: AbortSignal,
): Promise<void> {
  for (let from = 0; from < commands.length; from += COMMANDS_PER_REQUEST_MAX) {
    signal.throwIfAborted()
    const request = commands.slice(from, from + COMMANDS_PER_REQUEST_MAX)
    const answers = await ledger.submitMany(request)
    for (const [index, answer] of answers.entries()) {
      if (answer.outcome === 'recorded') continue
      const { type, key } = request[index] ?? {}
      throw new Error(`the demo's ${type} (${key}) was ${answer.outcome}: ${answer.message}`)
    }
  }
}

function getUser(
  users: Imported,
  email: string,
): Imported extends ReadonlyMap<string, infer User> ? User : never {
  const user = users.get(email)
  if (user === undefined) throw new Error(`the demo user ${email} was not created`)
  return user
}
