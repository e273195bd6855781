import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type App,
  type Browser,
  enrolTotp,
  logIn,
  logInNewBrowser,
  openBrowser,
  readMails,
  skipEndingTotpStep,
  visit,
} from '../../../testing/test-browser.ts'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { queueMail } from '../mail/outbox.ts'
import { createKeyRing, type KeyRing, parseKeys, REREAD_MS } from './key-ring.ts'
import { KEY_NAMES, type RotatedKey, resealKey, rotateKey } from './rotate-key.ts'
import { createFactorSeal, createOutboxSeal } from './seal.ts'

const TOTP_STEP_MS = 30_000
const SECRET = 'the first secret of the gateway'

let files: Readonly<Record<RotatedKey, string>>
let rings: Readonly<Record<RotatedKey, KeyRing>>
let gateway: TestGateway
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-rotation-'))
  files = {
    session: join(folder, 'session'),
    factor: join(folder, 'factor'),
    outbox: join(folder, 'outbox'),
  }
  for (const name of KEY_NAMES) await writeFile(files[name], SECRET)
  rings = {
    session: createKeyRing({ file: files.session }),
    factor: createKeyRing({ file: files.factor }),
    outbox: createKeyRing({ file: files.outbox }),
  }
  gateway = await startTestGateway({
    alterDeps: (deps) => ({
      ...deps,
      sessionKeys: rings.session,
      factorKeys: rings.factor,
      seal: createOutboxSeal(rings.outbox),
    }),
  })
})
afterAll(() => gateway?.stop())

const rotate = (name: RotatedKey) => rotateKey(gateway.db, { name, source: { file: files[name] } })

async function addEnrolledUser(): Promise<{
  email: string
  userId: string
  browser: Browser
  app: App
}> {
  const { email, userId } = await visit(gateway, 'investor')
  const browser = await logInNewBrowser(gateway, email)
  return { email, userId, browser, app: await enrolTotp(gateway, browser) }
}

async function logInWithApp({ email, app }: { email: string; app: App }): Promise<number> {
  // A code is accepted only once, so each login needs the next code.
  gateway.moveClock(TOTP_STEP_MS)
  skipEndingTotpStep(gateway)
  const browser = openBrowser(gateway)
  await logIn(browser, email)
  return (await browser.call('POST', '/users/login/mfa', { code: app.getCode() })).status
}

describe('replacing a key', () => {
  test('of sessions causes no failure for logged-in users', async () => {
    const { email } = await visit(gateway, 'investor')
    const browser = await logInNewBrowser(gateway, email)
    let isRotating = true
    const statuses = new Map<number, number>()
    const calling = (async () => {
      while (isRotating) {
        const { status } = await browser.call('PUT', '/users/me/preferences', {
          marketUpdates: true,
        })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    })()
    await rotate('session')
    isRotating = false
    await calling
    expect([...statuses.keys()]).toEqual([200])
    expect(statuses.get(200)).toBeGreaterThan(0)
    expect(parseKeys(await readFile(files.session, 'utf8'))).toHaveLength(2)
  })

  test('of apps seals each secret again, and the codes stay valid', async () => {
    const person = await addEnrolledUser()
    expect(await rotate('factor')).toBeGreaterThan(0)
    const rows = await gateway.db.selectFrom('identity.totp').select('sealed').execute()
    const seal = createFactorSeal(createKeyRing({ file: files.factor }))
    expect(rows.every(({ sealed }) => seal.isCurrent(sealed))).toBe(true)
    expect(await logInWithApp(person)).toBe(200)
    // The second rotation removes the first secret.
    await rotate('factor')
    expect(await readFile(files.factor, 'utf8')).not.toContain(SECRET)
    expect(await logInWithApp(person)).toBe(200)
  })

  test('of waiting mails leaves them readable', async () => {
    await gateway.db.deleteFrom('identity.outbox').execute()
    const { userId } = await visit(gateway, 'investor')
    const content = { code: '123456', minutes: '10', bankName: 'Example Bank' }
    const mail = { kind: 'bank-code', userId, content, nowMs: Date.now() } as const
    await gateway.db.transaction().execute((trx) => queueMail(trx, gateway.deps.seal, mail))
    const before = await readMails(gateway, userId)
    expect(before).toEqual([{ kind: 'bank-code', content }])
    expect(await rotate('outbox')).toBe(1)
    expect(await readMails(gateway, userId)).toEqual(before)
    const rows = await gateway.db.selectFrom('identity.outbox').select('sealed').execute()
    const seal = createOutboxSeal(createKeyRing({ file: files.outbox }))
    expect(rows.every(({ sealed }) => sealed !== null && seal.isCurrent(sealed))).toBe(true)
  })

  test('in a file that another tool replaces: the rows are sealed on request', async () => {
    const person = await addEnrolledUser()
    const [old] = parseKeys(await readFile(files.factor, 'utf8'))
    await writeFile(files.factor, `a secret that another tool made,${old?.secret}`)
    const source = { file: files.factor }
    expect(await resealKey(gateway.db, { name: 'factor', source })).toBeGreaterThan(0)
    expect(await resealKey(gateway.db, { name: 'factor', source })).toBe(0)
    // The old secret is no longer needed.
    await writeFile(files.factor, 'a secret that another tool made')
    await new Promise((resolve) => setTimeout(resolve, 1.1 * REREAD_MS))
    expect(await logInWithApp(person)).toBe(200)
  })

  test('in a file that cannot be replaced is refused, and the file stays', async () => {
    const file = `${files.session}-fixed`
    await writeFile(file, SECRET)
    // The new file cannot be written, because a folder has its name.
    await mkdir(`${file}.next`)
    const rotating = rotateKey(gateway.db, { name: 'session', source: { file } })
    await expect(rotating).rejects.toThrow(/cannot be replaced \(EISDIR\).*reseal-key/)
    expect(await readFile(file, 'utf8')).toBe(SECRET)
  })

  test('sabotaged twin: without the last secret, users are logged out', async () => {
    const person = await addEnrolledUser()
    await writeFile(files.factor, 'a secret that replaces all others')
    await new Promise((resolve) => setTimeout(resolve, 1.1 * REREAD_MS))
    expect(await logInWithApp(person)).toBe(500)
  })

  test('that is not in a file is refused', async () => {
    const rotating = rotateKey(gateway.db, { name: 'session', source: { value: SECRET } })
    await expect(rotating).rejects.toThrow('This key is not read from a file')
  })
})
