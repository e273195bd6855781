import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'
import { createId } from '@cairn/ledger-contracts'
import pg from 'pg'
import { startProcesses } from './processes.ts'
import { createCeilingRow, isBarReached, printRow, type Row } from './row.ts'
import { measureSite } from './site.ts'

const IN_FLIGHT = 16
const SESSIONS = 200
const LOGINS = 200
/**
 * The first calls are not measured, because new processes are slow until their code is compiled.
 */
const WARM_SECONDS = 4
const READ_BAR = 0.6
const OTHERS_P99_MAX_MS = 500

const { values } = parseArgs({
  options: {
    json: { type: 'string' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '5' },
  },
})
const seconds = Number(values.seconds)
const agent = new Agent({ keepAlive: true, maxSockets: 400 })
const processes = await startProcesses()
try {
  const tokens = await openSessions()
  const rows: Row[] = []
  if (isWanted('gateway')) {
    const cookies = await Promise.all(tokens.map(readCookies))
    rows.push(await measureReads(cookies), await measureLogins(cookies))
  }
  if (isWanted('site')) {
    const [token = ''] = tokens
    rows.push(...(await measureSite({ url: processes.gatewayUrl, token })))
  }
  for (const row of rows) printRow(row)
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(rows, null, 2)}\n`)
  process.exitCode = rows.every(isBarReached) ? 0 : 1
} finally {
  await processes.stop()
}

function isWanted(bench: string): boolean {
  return values.only === undefined || bench.includes(values.only)
}

/**
 * Measures both servers alternately, so that the load of the machine affects both measurements
 * equally.
 */
async function measureReads(cookies: readonly string[]): Promise<Row> {
  const read = (url: string) => measure(seconds / 4, (index) => get(url, cookies, index))
  const gateway = `${processes.gatewayUrl}/api/v1/users/me`
  await measure(WARM_SECONDS, (index) => get(gateway, cookies, index))
  await measure(WARM_SECONDS, (index) => get(processes.bareUrl, cookies, index))
  const rates = { gateway: [] as number[], bare: [] as number[] }
  for (let round = 0; round < 4; round += 1) {
    rates.bare.push((await read(processes.bareUrl)).perSecond)
    rates.gateway.push((await read(gateway)).perSecond)
  }
  const computeMean = (list: readonly number[]) =>
    list.reduce((sum, rate) => sum + rate, 0) / list.length
  const [value, baselineValue] = [computeMean(rates.gateway), computeMean(rates.bare)]
  return {
    name: 'gateway read with session and CSRF (wallet), 16 connections',
    unit: 'reads/s',
    value,
    baseline: 'a bare Koa route that runs the same SQL',
    baselineValue,
    ratio: value / baselineValue,
    bar: READ_BAR,
  }
}

/**
 * Measures reads while many users log in. Logins hash passwords, which is slow by design, but must
 * not delay other requests.
 */
async function measureLogins(cookies: readonly string[]): Promise<Row> {
  let isOver = false
  const logins = Promise.all(Array.from({ length: LOGINS }, (_, index) => logIn(index))).finally(
    () => {
      isOver = true
    },
  )
  const tookMs: number[] = []
  const url = `${processes.gatewayUrl}/api/v1/users/me`
  for (let index = 0; !isOver || tookMs.length < 50; index += 1) {
    const began = performance.now()
    await get(url, cookies, index)
    tookMs.push(performance.now() - began)
  }
  await logins
  tookMs.sort((left, right) => left - right)
  const value = tookMs[Math.floor(tookMs.length * 0.99)] ?? 0
  return createCeilingRow({
    name: `p99 of a read while ${LOGINS} logins run`,
    unit: 'ms',
    value,
    ceiling: OTHERS_P99_MAX_MS,
  })
}

async function openSessions(): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: processes.databaseUrl })
  await client.connect()
  const tokens: string[] = []
  for (let index = 0; index < SESSIONS; index += 1) {
    const id = createId(Date.now())
    const token = randomBytes(32).toString('base64url')
    await client.query(
      `insert into identity.user (id, email, name, phone, country, first_address, role, status,
         account_id, password_hash, email_verified_at, created_at, updated_at)
       values ($1, $2, 'Bench', '1', 'US', 'x', 'user', 'active', $3, 'none', now(), now(), now())`,
      [id, `bench${index}@example.com`, id.slice(-12).toUpperCase()],
    )
    await client.query(
      `insert into identity.session (token_hash, user_id, idle_seconds, created_at, last_seen_at,
         expires_at, ip, user_agent)
       values ($1, $2, 3600, now(), now(), now() + interval '1 hour', '127.0.0.1', 'bench')`,
      [createHash('sha256').update(token).digest(), id],
    )
    tokens.push(token)
  }
  await client.end()
  return tokens
}

function logIn(index: number): Promise<number> {
  const body = JSON.stringify({ email: `nobody${index}@example.com`, password: 'wrong password' })
  return send(`${processes.gatewayUrl}/api/v1/users/login`, 'POST', {
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    body,
  })
}

/** Returns the session cookie and the CSRF cookie of a logged-in browser. */
async function readCookies(token: string): Promise<string> {
  const headers = { cookie: `sid=${token}` }
  const answer = await fetch(`${processes.gatewayUrl}/api/v1/users/me`, { headers })
  const given = answer.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0])
  return [headers.cookie, ...given].join('; ')
}

async function get(url: string, cookies: readonly string[], index: number): Promise<void> {
  const cookie = cookies[index % cookies.length] ?? ''
  const status = await send(url, 'GET', { headers: { cookie }, body: '' })
  if (status !== 200) throw new Error(`${url} answered ${status}`)
}

function send(
  url: string,
  method: string,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': String(Buffer.byteLength(body)) }
    const sending = request(
      url,
      { method, agent, headers: { ...headers, ...length } },
      (answer) => {
        answer.resume()
        answer.once('end', () => resolve(answer.statusCode ?? 0))
        answer.once('error', reject)
      },
    )
    sending.once('error', reject)
    sending.end(body)
  })
}

async function measure(
  forSeconds: number,
  call: (index: number) => Promise<void>,
): Promise<{ perSecond: number }> {
  const began = performance.now()
  const until = began + forSeconds * 1_000
  let calls = 0
  async function callInLoop(): Promise<void> {
    while (performance.now() < until) {
      calls += 1
      await call(calls)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, callInLoop))
  return { perSecond: (calls / (performance.now() - began)) * 1_000 }
}
