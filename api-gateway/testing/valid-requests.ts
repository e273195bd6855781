import { createHash } from 'node:crypto'
import { CLAIM_KEYS, Statement } from '@cairn/gateway-contracts'
import { createId } from '@cairn/ledger-contracts'
import { describeRoutes } from '../src/platform/http/openapi.ts'
import type { Route } from '../src/platform/http/registry.ts'
import { makeApprovers, setDualControl } from './dual-control.ts'
import { expectOk, getId, type Scene } from './scene.ts'
import { PASSWORD, type Reply, send, type Visitor } from './test-gateway.ts'

const DAY_MS = 86_400_000
/** An empty statement withdraws a claim. This withdrawal needs no approval. */
const EMPTY_STATEMENT = Object.fromEntries(Object.keys(Statement.shape).map((name) => [name, null]))

/** The ids that the example requests contain. */
export interface ExampleIds {
  waitingDeposit: string
  bankAccount: string
  change: string
  changeSha256: string
  paymentOption: string
  settings: unknown
}

interface Documented {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, Media> } }>>
}
interface Media {
  example?: Record<string, unknown>
  examples?: Record<string, { value: Record<string, unknown> }>
}

/** Creates the objects that the example requests need and that the common test data lack. */
export async function createExamples(scene: Scene): Promise<ExampleIds> {
  const { admin, investor, call } = scene
  const { gateway } = scene
  const bank = {
    accountType: 'Savings Account',
    accountName: 'A',
    bankName: 'B',
    accountNumber: '12345678',
  }
  const stored = await expectOk<{ settings: object }>(call(admin, 'GET', '/admin/settings'))
  const options = await expectOk<{ paymentOptions: { id: string }[] }>(
    call(investor, 'GET', '/paymentOptions'),
  )
  const known = {
    waitingDeposit: await scene.deposit(investor, '30.00'),
    bankAccount: getId(await expectOk(call(investor, 'POST', '/users/me/banks', bank)), 'account'),
    settings: stored.settings,
    ...(await makeChange(scene)),
    paymentOption: options.paymentOptions[0]?.id ?? '',
  }
  await gateway.db
    .updateTable('platform.bank_account')
    .set({ usable_from: new Date(0) })
    .execute()
  await gateway.db
    .updateTable('identity.user')
    .set({ referrer_id: investor.userId })
    .where('id', '=', scene.stranger.userId)
    .execute()
  return known
}

/** Creates a change request whose maker is the second administrator. */
async function makeChange({ gateway, admin, second }: Scene) {
  await makeApprovers(gateway, [admin.userId, second.userId])
  await setDualControl(gateway, 'single')
  const nowMs = gateway.deps.clock.now()
  const data = { amountMinor: '100', note: null, transactionId: createId(nowMs) }
  const payload = JSON.stringify({ data, effectiveAt: null, type: 'FundReserve' })
  const changeSha256 = createHash('sha256').update(payload).digest('hex')
  const id = createId(nowMs)
  await gateway.db
    .insertInto('platform.change_request')
    .values({
      id,
      kind: 'reserve-funding',
      target: 'reserve',
      title: 'An example',
      payload,
      payload_sha256: changeSha256,
      before: 'null',
      reason: 'An example',
      created_by: second.userId,
      created_at: new Date(nowMs),
      expires_at: new Date(nowMs + 60 * DAY_MS),
      state: 'pending',
    })
    .execute()
  return { change: id, changeSha256 }
}

/**
 * Returns a function that sends a valid request to an endpoint: the documented example with ids of
 * existing objects.
 */
export function createValidRequests(scene: Scene, known: ExampleIds) {
  // The cast is safe because `openapi.db.test.ts` checks that the document has this type.
  const { paths } = describeRoutes(scene.gateway.routes, {
    title: 'x',
    path: '',
    isSecure: false,
  }) as unknown as Documented
  return async (route: Route): Promise<Reply> => {
    const { method, path, upload } = route.endpoint
    const [media] = Object.values(
      paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.requestBody?.content ?? {},
    )
    const [first] = Object.values(media?.examples ?? {})
    const example = media?.example ?? first?.value ?? (method === 'GET' ? undefined : {})
    const body = example && { ...example, ...createBody(scene, known, route) }
    const visitor = chooseVisitor(scene, route)
    const named = fillPath(scene, known, path) + getQuery(path)
    if (upload === null) {
      return send(scene.gateway, visitor, { method, path: named, ...(body && { body }) })
    }
    const fields = Object.entries(body ?? {}).filter(
      ([name, value]) => name !== upload.field && value !== undefined,
    )
    if (visitor === null) throw new Error(`${path} takes a file and has no visitor`)
    return scene.upload(visitor, {
      method,
      path: named,
      field: upload.field,
      fields: Object.fromEntries(fields.map(([name, value]) => [name, String(value)])),
    })
  }
}

function chooseVisitor({ admin, investor }: Scene, { endpoint }: Route): Visitor | null {
  if (endpoint.access === 'anyone') return null
  return endpoint.access === 'admin' ? admin : investor
}

/**
 * Returns the values that replace values of the documented example: ids of existing objects, and
 * values that must differ from the stored values.
 */
function createBody(scene: Scene, known: ExampleIds, { endpoint }: Route): object {
  const { method, path } = endpoint
  switch (`${method} ${path}`) {
    case 'POST /users/me/transactions':
      return {
        type: 'deposit',
        amount: '25.00',
        pay_option: 'Bank Transfer',
        payment_option_id: undefined,
        reference: undefined,
        tx_hash: undefined,
      }
    case 'POST /users/me/deposit_reference':
      return { payment_option_id: known.paymentOption }
    case 'POST /users/login':
      return { email: `${scene.stranger.userId}@example.com`, password: PASSWORD }
    case 'PATCH /users/me/password':
      return { newPassword: 'another battery horse', passwordConfirm: 'another battery horse' }
    case 'POST /users/me/investments':
      return {
        plan: scene.planId,
        user: scene.investor.userId,
        amount: 60,
        riskVersion: undefined,
      }
    case 'POST /admin/approvals/:id/approve':
      return { payloadSha256: known.changeSha256 }
    case 'PUT /admin/templates/:kind':
      return { body: '{{code}}' }
    case 'PUT /admin/claims/:key':
      return EMPTY_STATEMENT
    case 'POST /admin/adjustments':
      return { user: scene.investor.userId }
    case 'PATCH /users/:id/status':
      return { status: 'deactivate', name: undefined }
    case 'POST /admin/settings':
      return createSettingsForm(known)
    case 'PATCH /transactions/:id/action/approve':
      return { payoutOption: undefined, approvedAmount: undefined }
    default:
      return {}
  }
}

function createSettingsForm({ settings }: ExampleIds): object {
  // The cast is safe because the endpoint has returned these settings.
  const { general, payment, security } = settings as {
    general: object
    payment: object
    security: object
  }
  return { general, security, payment: { ...payment, depositFee: 3 }, version: undefined }
}

function fillPath(scene: Scene, known: ExampleIds, path: string): string {
  return path.replace(/:(\w+)/, (_, name: string) => {
    if (name === 'seq') return '1'
    if (name === 'account') return 'reserve'
    if (name === 'option') return 'treasury'
    if (name === 'key') return CLAIM_KEYS[0]
    if (name === 'kind') return 'verification-code'
    if (name === 'queue') return 'mail'
    return getExampleId(scene, known, path)
  })
}

function getExampleId(scene: Scene, known: ExampleIds, path: string): string {
  if (path.startsWith('/users/me/banks')) return known.bankAccount
  if (path.startsWith('/admin/approvals')) return known.change
  if (path.includes('/investments/') || path.includes('/certificates/')) return scene.investmentId
  if (path.startsWith('/plans')) return scene.planId
  if (path.startsWith('/paymentOptions')) return known.paymentOption
  if (path.startsWith('/users/:id') || path.startsWith('/admin/referrals')) {
    return scene.stranger.userId
  }
  if (path.startsWith('/transactions/:id/receipt')) return scene.depositId
  return known.waitingDeposit
}

function getQuery(path: string): string {
  if (path.endsWith('/consistency')) return '?from=1&to=2'
  return ''
}
