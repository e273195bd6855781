import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { arrive, logIn, openBrowser, readMails, setSettings, visit } from '../testing/arrival.ts'
import { PASSWORD, startTestGateway, type TestGateway } from '../testing/test-gateway.ts'

/** Wrong passwords at once; how many of them were looked at. */
async function countJudged(gateway: TestGateway, emails: readonly string[]): Promise<number> {
  const browser = openBrowser(gateway)
  const replies = await Promise.all(emails.map((email) => logIn(browser, email, 'wrong password')))
  expect(replies.every(({ status }) => status === 401 || status === 429)).toBe(true)
  return replies.filter(({ status }) => status === 401).length
}

describe('T27 guessing passwords', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({ alterDeps: (deps) => ({ ...deps, rateLimitScale: 4 }) })
  })
  afterAll(() => gateway.stop())

  test('200 wrong ones at once: as many are looked at as the settings say', async () => {
    await setSettings(gateway, { security: { loginAttempts: 3 } })
    const { email, userId } = await visit(gateway, 'investor')
    expect(
      await countJudged(
        gateway,
        Array.from({ length: 200 }, () => email),
      ),
    ).toBe(3)
    const delayed = await logIn(openBrowser(gateway), email)
    expect(delayed).toMatchObject({ status: 429, failure: { code: 'LOGIN_DELAYED' } })
    await expect.poll(async () => (await readMails(gateway, userId))[0]?.kind).toBe('lockout')
    gateway.moveClock(1_000)
    expect((await logIn(openBrowser(gateway), email)).status).toBe(200)
    await setSettings(gateway, {})
  })

  test('each further failure doubles the delay, up to a quarter of an hour', async () => {
    const { email } = await visit(gateway, 'investor')
    const delays: (number | undefined)[] = []
    for (let failure = 1; failure <= 18; failure += 1) {
      await logIn(openBrowser(gateway), email, 'wrong password')
      const { failure: delayed } = await logIn(openBrowser(gateway), email)
      delays.push(delayed?.retryAfter)
      gateway.moveClock((delayed?.retryAfter ?? 0) * 1_000)
      if (failure < 5) await forget(gateway, email, failure)
    }
    expect(delays.slice(4)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900])
  })

  test('a hundred in a row close the door to guesses; the mailbox opens it', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    const owner = await arrive(gateway, email)
    await logIn(openBrowser(gateway), email, 'wrong password')
    await setFailures(gateway, 99)
    gateway.moveClock(901_000)
    expect((await logIn(openBrowser(gateway), email, 'wrong password')).status).toBe(401)
    gateway.moveClock(86_400_000 * 30)
    const locked = await logIn(openBrowser(gateway), email)
    expect(locked).toMatchObject({ status: 429, failure: { code: 'LOGIN_LOCKED' } })
    // The owner's own browser never noticed.
    expect((await logIn(owner, email)).status).toBe(200)
    const stranger = openBrowser(gateway)
    await stranger.call('POST', '/users/forgot_password', { email })
    const path = await expect
      .poll(async () => (await readMails(gateway, userId))[0]?.content.path)
      .toContain('token=')
      .then(async () => (await readMails(gateway, userId))[0]?.content.path ?? '')
    const password = 'a quite new passphrase'
    const body = { token: path.split('token=')[1], password, passwordConfirm: password }
    expect((await stranger.call('POST', '/users/reset_password', body)).status).toBe(204)
    expect((await logIn(openBrowser(gateway), email, password)).status).toBe(200)
  })

  test('one address that tries many accounts is stopped', async () => {
    await gateway.db.deleteFrom('identity.login_attempt').execute()
    await setSettings(gateway, { security: { loginAttempts: 1 } })
    gateway.moveClock(900_000)
    const emails = Array.from({ length: 100 }, (_, index) => `spray${index}@example.com`)
    // One failure, ten times for people who share an address, times the scale of this gateway.
    expect(await countJudged(gateway, emails)).toBeLessThanOrEqual(40)
    const others = Array.from({ length: 60 }, (_, index) => `more${index}@example.com`)
    expect(await countJudged(gateway, others)).toBeLessThanOrEqual(1)
    await setSettings(gateway, {})
  }, 60_000)
})

/** Keeps the count, as if the right password had not been among the tries. */
async function forget(gateway: TestGateway, email: string, failures: number): Promise<void> {
  await logIn(openBrowser(gateway), email, 'wrong password')
  await setFailures(gateway, failures)
}

async function setFailures(gateway: TestGateway, failures: number): Promise<void> {
  await gateway.db.updateTable('identity.login_attempt').set({ failures }).execute()
}

describe('its sabotaged twin, which allows as many failures as are tried', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
    await setSettings(gateway, { security: { loginAttempts: 100_000 } })
  })
  afterAll(() => gateway.stop())

  test('looks at all of forty', async () => {
    const { email } = await visit(gateway, 'investor')
    expect(
      await countJudged(
        gateway,
        Array.from({ length: 40 }, () => email),
      ),
    ).toBe(40)
  })
})

describe('T42 the cost of passwords', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
    await setSettings(gateway, { security: { loginAttempts: 100_000 } })
  })
  afterAll(() => gateway.stop())

  test('every stored one took 19 MiB and two rounds; a weaker one is found and made again', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    expect(await findWeak(gateway)).toEqual([])
    const argon2 = (await import('argon2')).default
    const options = {
      type: argon2.argon2id,
      memoryCost: 1_024,
      timeCost: 2,
      parallelism: 1,
    } as const
    const password_hash = await argon2.hash(PASSWORD, options)
    await gateway.db
      .updateTable('identity.user')
      .set({ password_hash })
      .where('id', '=', userId)
      .execute()
    expect(await findWeak(gateway)).toEqual([userId])
    await arrive(gateway, email)
    expect(await findWeak(gateway)).toEqual([])
  })

  test('200 logins at once: a bounded queue, and other calls are answered meanwhile', async () => {
    const { email } = await visit(gateway, 'investor')
    const other = openBrowser(gateway, await visit(gateway, 'investor'))
    const browser = openBrowser(gateway)
    const logins = Array.from({ length: 200 }, () => logIn(browser, email, 'wrong password'))
    // Until all of them have been read.
    await sleep(300)
    const tookMs: number[] = []
    for (let call = 0; call < 40; call += 1) {
      const began = performance.now()
      expect((await other.call('GET', '/countries')).status).toBe(200)
      tookMs.push(performance.now() - began)
    }
    const statuses = (await Promise.all(logins)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
    expect(statuses.every((status) => status === 401 || status === 429)).toBe(true)
    expect(median(tookMs)).toBeLessThan(500)
  })

  test('a password of 1,025 bytes is refused before any work; one of 128 characters counts whole', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    for (const password of ['x'.repeat(1_025), 'é'.repeat(513), 'x'.repeat(40_000)]) {
      const began = performance.now()
      const reply = await logIn(openBrowser(gateway), email, password)
      expect(reply.status).toBe(400)
      expect(performance.now() - began).toBeLessThan(200)
    }
    const long = `${'a long one '.repeat(12)}`.slice(0, 127)
    const browser = await arrive(gateway, email)
    const body = { currentPassword: PASSWORD, newPassword: `${long}1`, passwordConfirm: `${long}1` }
    expect((await browser.call('PATCH', '/users/me/password', body)).status).toBe(200)
    expect((await logIn(openBrowser(gateway), email, `${long}2`)).status).toBe(401)
    expect((await logIn(openBrowser(gateway), email, `${long}1`)).status).toBe(200)
    expect((await readMails(gateway, userId)).map(({ kind }) => kind)).toContain('password-changed')
  })
})

async function findWeak(gateway: TestGateway): Promise<readonly string[]> {
  const rows = await gateway.db
    .selectFrom('identity.user')
    .select(['id', 'password_hash'])
    .execute()
  return rows.filter(({ password_hash }) => !isStrong(password_hash)).map(({ id }) => id)
}

function isStrong(hash: string): boolean {
  const match = /^\$argon2id\$v=19\$m=(\d+),p=1,t=(\d+)\$/.exec(hash)
  return match !== null && Number(match[1]) >= 19_456 && Number(match[2]) >= 2
}

describe('T28 who is registered', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
    await setSettings(gateway, { security: { loginAttempts: 100_000 } })
  })
  afterAll(() => gateway.stop())

  test('is told by no answer to a login or a forgotten password', async () => {
    const { email } = await visit(gateway, 'investor')
    const pending = await visit(gateway, 'pending')
    const addresses = [email, pending.email, 'nobody@example.com']
    const answers = new Set<string>()
    for (const address of addresses) {
      const browser = openBrowser(gateway)
      const wrong = await logIn(browser, address, 'not the password')
      const forgot = await browser.call('POST', '/users/forgot_password', { email: address })
      answers.add(JSON.stringify([stripped(wrong), stripped(forgot)]))
    }
    expect(answers.size).toBe(1)
  })

  test('is not told by the time of a login: the medians are within a tenth', async () => {
    const { email } = await visit(gateway, 'investor')
    const browser = openBrowser(gateway)
    const timed = async (address: string) => {
      const began = performance.now()
      await logIn(browser, address, 'not the password')
      return performance.now() - began
    }
    const unknown: number[] = []
    const gaps: number[] = []
    for (let round = 0; round < 40; round += 1) {
      // In turn, so that what else the machine does falls on both.
      const nobody = await timed('nobody@example.com')
      unknown.push(nobody)
      gaps.push((await timed(email)) - nobody)
    }
    const gap = Math.abs(median(gaps)) / median(unknown)
    expect(gap).toBeLessThan(0.1)
  })

  test('sabotaged twin: without a hash for those who are not there, the time tells', async () => {
    const { isPassword, hashPassword } = await import('../users/passwords.ts')
    const hash = await hashPassword(PASSWORD)
    const began = performance.now()
    await isPassword(hash, 'not the password')
    const withHash = performance.now() - began
    // What a server does that looks at nothing where nobody is registered.
    const naive = async (known: string | null) => known !== null && (await isPassword(known, 'x'))
    const again = performance.now()
    await naive(null)
    expect(performance.now() - again).toBeLessThan(withHash / 2)
  })
})

function stripped({ status, body }: { status: number; body: object }) {
  const { requestId: _id, ...rest } = body as { requestId?: string }
  return { status, rest }
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
}
