import { chooseTimeLimit } from '@cairn/local/time-limit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  logIn,
  logInNewBrowser,
  openBrowser,
  readMails,
  setSettings,
  visit,
} from '../../../testing/test-browser.ts'
import { PASSWORD, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { hashPassword } from './passwords.ts'

describe('T42 the cost of passwords', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
    await setSettings(gateway, { security: { loginAttempts: 100_000 } })
  })
  afterAll(() => gateway.stop())

  test('every stored hash uses 19 MiB and two rounds; a weaker hash is found and replaced', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    expect(await findWeakHashes(gateway)).toEqual([])
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
    expect(await findWeakHashes(gateway)).toEqual([userId])
    await logInNewBrowser(gateway, email)
    expect(await findWeakHashes(gateway)).toEqual([])
  })

  test('200 logins at once: a bounded queue, and other calls are answered meanwhile', async ({
    task,
  }) => {
    const { email } = await visit(gateway, 'investor')
    const other = openBrowser(gateway, await visit(gateway, 'investor'))
    const browser = openBrowser(gateway)
    const logins = Array.from({ length: 200 }, () => logIn(browser, email, 'wrong password'))
    let isOver = false
    const ended = Promise.all(logins).then(() => {
      isOver = true
    })
    const tookMs: number[] = []
    while (!isOver || tookMs.length < 100) {
      const began = performance.now()
      expect((await other.call('GET', '/users/me/preferences')).status).toBe(200)
      tookMs.push(performance.now() - began)
    }
    await ended
    const p99 =
      tookMs.toSorted((left, right) => left - right)[Math.floor(tookMs.length * 0.99)] ?? 0
    Object.assign(task.meta, { figure: `others p99 ${Math.round(p99)} ms during 200 logins` })
    const statuses = (await Promise.all(logins)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
    expect(statuses.every((status) => status === 401 || status === 429)).toBe(true)
    expect(p99).toBeLessThan(chooseTimeLimit(500))
  })

  test('a password of 1,025 bytes is refused before any work; all 128 characters of another password count', async () => {
    const { email, userId } = await visit(gateway, 'investor')
    for (const password of ['x'.repeat(1_025), 'é'.repeat(513), 'x'.repeat(40_000)]) {
      const began = performance.now()
      const reply = await logIn(openBrowser(gateway), email, password)
      expect(reply.status).toBe(400)
      expect(performance.now() - began).toBeLessThan(chooseTimeLimit(200))
    }
    const long = `${'a long one '.repeat(12)}`.slice(0, 127)
    const browser = await logInNewBrowser(gateway, email)
    const body = { currentPassword: PASSWORD, newPassword: `${long}1`, passwordConfirm: `${long}1` }
    expect((await browser.call('PATCH', '/users/me/password', body)).status).toBe(200)
    expect((await logIn(openBrowser(gateway), email, `${long}2`)).status).toBe(401)
    expect((await logIn(openBrowser(gateway), email, `${long}1`)).status).toBe(200)
    expect((await readMails(gateway, userId)).map(({ kind }) => kind)).toContain('password-changed')
  })
})

describe('T42 its sabotaged twin without a bound of concurrent hashes', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    const { default: argon2 } = await import('argon2')
    const stored = await hashPassword(PASSWORD)
    gateway = await startTestGateway({
      alterRoute: (route) =>
        route.endpoint.path === '/users/login'
          ? {
              ...route,
              handle: async () => {
                await argon2.verify(stored, 'wrong password')
                throw new HttpFailure(401, 'WRONG_CREDENTIALS', 'Incorrect email or password')
              },
            }
          : route,
    })
  })
  afterAll(() => gateway?.stop())

  test('is caught: none of eighty requests is refused', async () => {
    const browser = openBrowser(gateway)
    const logins = Array.from({ length: 80 }, () => logIn(browser, 'a@example.com', 'wrong'))
    const statuses = (await Promise.all(logins)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429)).toEqual([])
  })
})

async function findWeakHashes(gateway: TestGateway): Promise<readonly string[]> {
  const rows = await gateway.db
    .selectFrom('identity.user')
    .select(['id', 'password_hash'])
    .execute()
  return rows.filter(({ password_hash }) => !isStrongHash(password_hash)).map(({ id }) => id)
}

function isStrongHash(hash: string): boolean {
  const match = /^\$argon2id\$v=19\$m=(\d+),p=1,t=(\d+)\$/.exec(hash)
  return match !== null && Number(match[1]) >= 19_456 && Number(match[2]) >= 2
}
