import sharp from 'sharp'
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

/** Two administrators, two investors, a plan, and for one investor a deposit and an investment. */
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
  /** Sends the request as a form with an image in this field. */
  upload(visitor: Visitor, request: Upload): Promise<Reply>
  deposit(visitor: Visitor, amount: string): Promise<string>
}

interface Upload {
  method: string
  path: string
  field: string
  fields?: Readonly<Record<string, string>>
}

/** The data of a successful response; throws for any other response. */
export async function ok<Data = Record<string, unknown>>(replying: Promise<Reply>): Promise<Data> {
  const { status, body } = await replying
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  // The test names the type that it expects and fails on anything else.
  return (body.data ?? {}) as Data
}

export async function startScene(
  ledgerEnvironment: Readonly<Record<string, string>> = {},
  alterRoute: (route: Route) => Route = (route) => route,
): Promise<Scene> {
  const gateway = await startTestGateway({ ledgerEnvironment, alterRoute })
  const raw = { width: 40, height: 30, channels: 3 as const, background: '#0e5c4a' }
  const picture = await sharp({ create: raw }).png().toBuffer()
  const people = {
    admin: await openVisit(gateway, await addUser(gateway, { role: 'admin', status: 'active' })),
    second: await openVisit(gateway, await addUser(gateway, { role: 'admin', status: 'active' })),
    investor: await activeInvestor(gateway),
    stranger: await activeInvestor(gateway),
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
    return idOf(await ok(upload(visitor, request)), 'transaction')
  }
  const made = await makeMoney({ ...people, call, deposit })
  return { gateway, picture, ...people, call, upload, deposit, ...made }
}

async function makeMoney(
  scene: Pick<Scene, 'admin' | 'investor' | 'call' | 'deposit'>,
): Promise<{ planId: string; depositId: string; investmentId: string }> {
  const { admin, investor, call } = scene
  const option = { payOption: 'Bank Transfer', bank: 'Example Bank', accountNumber: '1' }
  await ok(call(admin, 'POST', '/paymentOptions', { ...option, displayStatus: true }))
  await ok(call(admin, 'POST', '/admin/reserve', { amount: 1_000 }))
  const terms = {
    name: 'Ten days',
    planDuration: 10,
    timingParameter: 'days',
    minDeposit: 50,
    percentage: 10,
    returnPrincipal: true,
  }
  const planId = idOf(await ok(call(admin, 'POST', '/plans', terms)), 'plan')
  const depositId = await scene.deposit(investor, '500.00')
  await ok(call(admin, 'PATCH', `/transactions/${depositId}/action/approve`))
  const opening = { plan: planId, amount: 100 }
  const opened = await ok(call(investor, 'POST', '/users/me/investments', opening))
  return { planId, depositId, investmentId: idOf(opened, 'investment') }
}

export function idOf(data: Record<string, unknown>, name: string): string {
  // Every resource has an id.
  return (data[name] as { id: string }).id
}

async function activeInvestor(gateway: TestGateway): Promise<Visitor> {
  return openVisit(gateway, await addUser(gateway, { role: 'user', status: 'active' }))
}
