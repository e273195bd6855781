import { parseArgs } from 'node:util'
import {
  COMMANDS_PER_REQUEST_MAX,
  type Command,
  createId,
  createLedgerClient,
  type LedgerClient,
} from '@cairn/ledger-contracts'
import { type CrowdCast, createNewcomer, createUserCommands, type Person } from './demo/crowd.ts'
import { DEMO_LOGINS } from './demo/logins.ts'
import { DEMO_ADMIN } from './demo/people.ts'
import { createAdmin, importUsers } from './demo/users.ts'
import { readEnvironment } from './environment.ts'
import { type DatabaseAddresses, findAddresses } from './running.ts'
import { readSecrets } from './secrets.ts'

// `npm run demo -- --users 100000 --transactions 1000000` adds users and transactions to the
// running platform. A repeated run continues after the last user of the previous run.
const USERS_AT_ONCE = 5_000
const REQUESTS_UNDER_WAY = 3
const RESERVE_MINOR = 100_000_000_000n

const [, INVESTOR_LOGIN] = DEMO_LOGINS
const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '1000' },
    transactions: { type: 'string', default: '10000' },
  },
})
const users = parseWholeNumber('--users', values.users)
const transactions = parseWholeNumber('--transactions', values.transactions)
const environment = readEnvironment(process.env)
const found = await findAddresses(environment.dataDir)
if (found === null) throw new Error(`no platform runs on ${environment.dataDir}: start it first`)
const { ledgerToken } = await readSecrets(environment.dataDir)
const ledger = createLedgerClient({
  url: found.ledger,
  ledger: environment.ledger,
  token: ledgerToken,
})

const cast = await findCast(ledger, found)
const began = Date.now()
let made = 0
await openReserve(ledger, cast)
for (let first = 0; first < users; first += USERS_AT_ONCE) {
  const count = Math.min(USERS_AT_ONCE, users - first)
  const people = await createPeople(found, { first, count })
  await submitUserCommands(people)
  printLine(`${first + count} people, ${made} commands, ${measureSeconds()} s`)
}
printLine(`done: ${users} people and about ${transactions} transactions in ${measureSeconds()} s`)

/**
 * Finds the plan, the payment option and the administrator of the demo data. The commands of the
 * new users refer to them.
 */
async function findCast(client: LedgerClient, addresses: DatabaseAddresses): Promise<CrowdCast> {
  const { plans } = await client.ask('plans', { includeArchived: false })
  const plan = plans.find(({ maximumMinor }) => maximumMinor === null) ?? plans[0]
  const admins = await createAdmin(addresses.gateway, DEMO_ADMIN)
  const { accounts } = await client.ask('accounts', { prefix: 'cash:', after: null, limit: 10 })
  const option = accounts.find(({ account }) => account !== 'cash:treasury')
  const adminId = admins.get(DEMO_ADMIN.email)?.id
  if (plan === undefined || adminId === undefined || option === undefined) {
    throw new Error('the additional users need the demo data: start the platform with DEMO=1 first')
  }
  return {
    // The effective time of the command is one minute ago, so that no event is in the future.
    nowMs: Date.now() - 60_000,
    adminId,
    planId: plan.planId,
    optionId: option.account.slice('cash:'.length),
    password: INVESTOR_LOGIN.password,
  }
}

async function openReserve(client: LedgerClient, { adminId }: CrowdCast): Promise<void> {
  const data = {
    transactionId: createId(Date.now()),
    amountMinor: RESERVE_MINOR,
    note: 'for the crowd',
  }
  const rest = { actor: `admin:${adminId}`, requestId: null, effectiveAt: null }
  await submit(client, [{ type: 'FundReserve', data, key: 'crowd-reserve', ...rest }])
}

async function createPeople(
  addresses: DatabaseAddresses,
  { first, count }: { first: number; count: number },
): Promise<readonly Person[]> {
  const people = Array.from({ length: count }, (_, place) => createNewcomer(cast, first + place))
  const users = await importUsers(addresses.gateway, people)
  return people.map(({ email }, place) => {
    const id = users.get(email)?.id
    if (id === undefined) throw new Error(`the user ${email} was not created`)
    return { id, index: first + place }
  })
}

/**
 * Submits the commands of these people. All commands of one person are in one request, because
 * concurrent requests have no order.
 */
async function submitUserCommands(people: readonly Person[]): Promise<void> {
  const underWay: Promise<void>[] = []
  const send = async (commands: readonly Command[]) => {
    if (underWay.length >= REQUESTS_UNDER_WAY) await underWay.shift()
    const sending = submit(ledger, commands)
    // This promise is awaited only after further requests have been sent. Without this handler,
    // Node.js would report a rejection before the await as unhandled.
    sending.catch(() => {})
    underWay.push(sending)
  }
  let request: Command[] = []
  for (const person of people) {
    const own = [...createUserCommands(cast, person, computeShare(person.index))]
    if (request.length + own.length > COMMANDS_PER_REQUEST_MAX) {
      await send(request)
      request = []
    }
    request.push(...own)
  }
  await send(request)
  await Promise.all(underWay)
}

/** Returns the number of transactions of a user, so that all users have about the same number. */
function computeShare(index: number): number {
  const countTransactionsUpTo = (place: number) => Math.floor((transactions * place) / users)
  return Math.min(
    countTransactionsUpTo(index + 1) - countTransactionsUpTo(index),
    Math.floor(COMMANDS_PER_REQUEST_MAX / 2) - 1,
  )
}

async function submit(client: LedgerClient, commands: readonly Command[]): Promise<void> {
  if (commands.length === 0) return
  const answers = await client.submitBriefly(commands)
  // Refusals are not errors, because a repeated run gets the refusals of the first run again.
  const failed = answers.find(({ outcome }) => outcome === 'failed')
  if (failed !== undefined) throw new Error(`a command failed: ${failed.code}`)
  made += answers.filter(({ outcome }) => outcome === 'recorded').length
}

function parseWholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text)
  throw new Error(`${name} takes a whole number above 0`)
}

function measureSeconds(): number {
  return Math.round((Date.now() - began) / 1_000)
}

function printLine(line: string): void {
  process.stdout.write(`[cairn] ${line}\n`)
}
