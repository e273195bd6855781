import sharp from 'sharp'
import type { ObjectStore } from '../src/platform/files/object-store.ts'
import type { Route } from '../src/platform/http/registry.ts'
import {
  addUser,
  openVisit,
  type Reply,
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
} from './test-gateway.ts'

/**
 * Test data: two administrators, two investors and a plan. The first investor has a deposit and an
 * investment.
 */
export interface Scene {
  gateway: TestGateway
  admin: Visitor
  second: Visitor
  investor: Visitor
  stranger: Visitor
  picture: Buffer
  planId: string
  depositId: string
  investmentId: string
  call(visitor: Visitor | null, method: string, path: string, body?: unknown): Promise<Reply>
  /** Sends a form with an image in the given field. */
  upload(visitor: Visitor, request: Upload): Promise<Reply>
  deposit(visitor: Visitor, amount: string): Promise<string>
}

interface Upload {
  method: string
  path: string
  field: string
  fields?: Readonly<Record<string, string>>
}

/** Returns the data of a successful response. Throws for any other response. */
export async function expectOk<Data = Record<string, unknown>>(
  replying: Promise<Reply>,
): Promise<Data> {
  const { status, body } = await replying
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  // The cast trusts the caller, who states the expected type.
  return (body.data ?? {}) as Data
}

export async function startScene(
  ledgerEnvironment: Readonly<Record<string, string>> = {},
  options: { alterRoute?: (route: Route) => Route; objects?: ObjectStore } = {},
): Promise<Scene> {
  const gateway = await startTestGateway({ ledgerEnvironment, ...options })
  const raw = { width: 40, height: 30, channels: 3 as const, background: '#0e5c4a' }
  const picture = await sharp({ create: raw }).png().toBuffer()
  const people = {
    admin: await openVisit(gateway, await addUser(gateway, { role: 'admin', status: 'active' })),
    second: await openVisit(gateway, await addUser(gateway, { role: 'admin', status: 'active' })),
    investor: await addActiveInvestor(gateway),
    stranger: await addActiveInvestor(gateway),
  }
  const call: Scene['call'] = (visitor, method, path, body) =>
    send(gateway, visitor, { method, path, ...(body === undefined ? {} : { body }) })
  const upload: Scene['upload'] = (visitor, { method, path, field, fields = {} }) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set(field, new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'picture.png')
    return send(gateway, visitor, { method, path, form })
  }
  const deposit: Scene['deposit'] = async (visitor, amount) => {
    const fields = { type: 'deposit', amount, pay_option: 'Bank Transfer' }
    const path = '/users/me/transactions'
    const request = { method: 'POST', path, field: 'receipt', fields }
    return getId(await expectOk(upload(visitor, request)), 'transaction')
  }
  const made = await createMoney({ ...people, call, deposit })
  return { gateway, picture, ...people, call, upload, deposit, ...made }
}

/** The form of a plan of ten days. */
export const TEN_DAYS = {
  name: 'Ten days',
  planDuration: 10,
  timingParameter: 'days',
  minDeposit: 50,
  percentage: 10,
  returnPrincipal: true,
}

async function createMoney(
  scene: Pick<Scene, 'admin' | 'investor' | 'call' | 'deposit'>,
): Promise<{ planId: string; depositId: string; investmentId: string }> {
  const { admin, investor, call } = scene
  const option = { payOption: 'Bank Transfer', bank: 'Example Bank', accountNumber: '1' }
  await expectOk(call(admin, 'POST', '/paymentOptions', { ...option, displayStatus: true }))
  await expectOk(call(admin, 'POST', '/admin/reserve', { amount: 1_000 }))
  const planId = getId(await expectOk(call(admin, 'POST', '/plans', TEN_DAYS)), 'plan')
  const depositId = await scene.deposit(investor, '500.00')
  await expectOk(call(admin, 'PATCH', `/transactions/${depositId}/action/approve`))
  const opening = { plan: planId, amount: 100 }
  const opened = await expectOk(call(investor, 'POST', '/users/me/investments', opening))
  return { planId, depositId, investmentId: getId(opened, 'investment') }
}

export function getId(data: Record<string, unknown>, name: string): string {
  // The cast is safe because every resource has an id.
  return (data[name] as { id: string }).id
}

async function addActiveInvestor(gateway: TestGateway): Promise<Visitor> {
  return openVisit(gateway, await addUser(gateway, { role: 'user', status: 'active' }))
}
