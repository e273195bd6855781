import { JUDGES_TIMES } from '@cairn/local/time-limit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logIn, openBrowser, setSettings, visit } from '../../../testing/test-browser.ts'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { NO_PASSWORD } from '../users/new-admin.ts'

const TIMINGS = Number(process.env.TORTURE_LOGIN_TIMINGS ?? 40)
/**
 * The largest permitted relative difference between the median times of registered and unregistered
 * addresses. The limit is larger on a busy machine. The sabotaged twin hashes no password for an
 * unknown address, and its difference is above 0.9.
 */
const GAP_MAX = JUDGES_TIMES ? 0.05 : 0.5
const P_MIN = JUDGES_TIMES ? 0.01 : 1e-6

describe('T28 who is registered', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
    await setSettings(gateway, { security: { loginAttempts: 100_000 } })
  })
  afterAll(() => gateway.stop())

  test('is not revealed by answers to login and password reset', async () => {
    const { email } = await visit(gateway, 'investor')
    const pending = await visit(gateway, 'pending')
    const invited = await visit(gateway, 'admin')
    await gateway.db
      .updateTable('identity.user')
      .set({ password_hash: NO_PASSWORD })
      .where('id', '=', invited.userId)
      .execute()
    const addresses = [email, pending.email, invited.email, 'nobody@example.com']
    const answers = new Set<string>()
    for (const address of addresses) {
      const browser = openBrowser(gateway)
      const wrong = await logIn(browser, address, 'not the password')
      const forgot = await browser.call('POST', '/users/forgot_password', { email: address })
      answers.add(JSON.stringify([omitRequestId(wrong), omitRequestId(forgot)]))
    }
    expect(answers.size).toBe(1)
  })

  test('is not revealed by the time of a login', async ({ task }) => {
    const { email } = await visit(gateway, 'investor')
    const first = await measureLogins(gateway, email)
    // The first measurement can be above the limit by chance or because the machine is busy. In
    // this case, a second measurement decides.
    const isInnocent = first.p > P_MIN && first.gap < GAP_MAX
    const { gap, p } = isInnocent ? first : await measureLogins(gateway, email)
    Object.assign(task.meta, {
      figure: `${TIMINGS} + ${TIMINGS} logins: medians ${(gap * 100).toFixed(1)} % apart, rank test p ${p.toFixed(2)}`,
    })
    expect(gap).toBeLessThan(GAP_MAX)
    expect(p).toBeGreaterThan(P_MIN)
  })
})

describe('T28 who is registered: sabotaged twin, without a hash for those who are not there', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    let db: TestGateway['db'] | null = null
    gateway = await startTestGateway({
      alterDeps: (deps) => {
        db = deps.db
        return deps
      },
      alterRoute: (route) =>
        route.endpoint.path === '/users/login'
          ? {
              ...route,
              handle: async (request, exchange) => {
                // The cast is safe because the schema of this endpoint has parsed the request.
                const { email } = (request as { body: { email: string } }).body
                const found = await db
                  ?.selectFrom('identity.user')
                  .select('id')
                  .where('email', '=', email)
                  .executeTakeFirst()
                if (found !== undefined) return route.handle(request, exchange)
                throw new HttpFailure(401, 'WRONG_CREDENTIALS', 'Incorrect email or password')
              },
            }
          : route,
    })
    await setSettings(gateway, { security: { loginAttempts: 100_000 } })
  })
  afterAll(() => gateway.stop())

  test('is caught by both figures', async () => {
    const { email } = await visit(gateway, 'investor')
    const { gap, p } = await measureLogins(gateway, email)
    expect(gap).toBeGreaterThan(GAP_MAX)
    expect(p).toBeLessThan(P_MIN)
  })
})

/**
 * Measures logins with a wrong password. The function alternates a registered and an unregistered
 * address, so that a busy machine affects both addresses equally.
 */
async function measureLogins(
  gateway: TestGateway,
  email: string,
): Promise<{ gap: number; p: number }> {
  const browser = openBrowser(gateway)
  const measureLogin = async (address: string) => {
    const began = performance.now()
    await logIn(browser, address, 'not the password')
    return performance.now() - began
  }
  // The first requests are slower, because they compile code and open connections.
  for (let time = 0; time < 5; time += 1) await measureLogin(email)
  const unknown: number[] = []
  const gaps: number[] = []
  for (let round = 0; round < TIMINGS; round += 1) {
    // In half of the rounds, the registered address is first.
    const isKnownFirst = round % 2 === 0
    const before = isKnownFirst ? await measureLogin(email) : 0
    const unregisteredMs = await measureLogin('unknown@example.com')
    unknown.push(unregisteredMs)
    gaps.push((isKnownFirst ? before : await measureLogin(email)) - unregisteredMs)
  }
  return {
    gap: Math.abs(computeMedian(gaps)) / computeMedian(unknown),
    p: computeSignedRankTest(gaps),
  }
}

/**
 * Returns the p-value of a Wilcoxon signed-rank test: how likely these differences are if their
 * median is zero.
 */
function computeSignedRankTest(differences: readonly number[]): number {
  const byLength = differences.toSorted((left, right) => Math.abs(left) - Math.abs(right))
  const positive = byLength.reduce((sum, gap, index) => sum + (gap > 0 ? index + 1 : 0), 0)
  const n = differences.length
  const z = Math.abs(positive - (n * (n + 1)) / 4) / Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24)
  return 2 * (1 - computeNormalDistribution(z))
}

/** Returns the cumulative normal distribution (Abramowitz and Stegun 26.2.17). */
function computeNormalDistribution(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const series = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const sum = series.reduceRight((rest, factor) => (rest + factor) * t, 0)
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum
}

function omitRequestId({ status, body }: { status: number; body: object }) {
  const { requestId: _id, ...rest } = body as { requestId?: string }
  return { status, rest }
}

function computeMedian(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
}
