import {
  approveChangeRequest,
  type ChangeRequest,
  countChangeRequests,
  exportChangeRequests,
  getChangeFile,
  getChangeRequest,
  getDualControl,
  listChangeRequests,
  rejectChangeRequest,
  withdrawChangeRequest,
} from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import type { BlobStore } from '../../platform/files/blob-store.ts'
import { answerUpload } from '../../platform/files/upload-answer.ts'
import { createNotFoundFailure } from '../../platform/http/failure.ts'
import { type Columns, createListRoutes } from '../../platform/http/list-export.ts'
import {
  createFileRoute,
  declareRoute,
  type Exchange,
  getCaller,
  type Route,
} from '../../platform/http/registry.ts'
import { readControls } from '../users/index.ts'
import { type Deciding, decideChange } from './decide.ts'
import type { ChangeRegistry } from './definition.ts'
import { toKnownChange } from './known-change.ts'
import { presentDetail, presentRequests } from './present.ts'
import { getRequest, listRequests } from './store.ts'

const OPEN_MAX = 1_000

const COLUMNS: Columns<ChangeRequest> = {
  Request: ({ id }) => id,
  Kind: ({ kind }) => kind,
  Change: ({ title }) => title,
  Target: ({ target }) => target,
  State: ({ state }) => state,
  Reason: ({ reason }) => reason,
  'Proposed by': ({ createdBy }) => createdBy?.name ?? null,
  Proposed: ({ createdAt }) => createdAt,
  Expires: ({ expiresAt }) => expiresAt,
  'Decided by': ({ decidedBy }) => decidedBy?.name ?? null,
  Decided: ({ decidedAt }) => decidedAt,
  Note: ({ failure }) => failure,
  'SHA-256 of the content': ({ payloadSha256 }) => payloadSha256,
}

export function createChangeRequestRoutes(
  deps: Pick<Dependencies, 'clock' | 'db' | 'ledger'>,
  { registry, blobs }: { registry: ChangeRegistry; blobs: BlobStore },
): readonly Route[] {
  const { db } = deps
  const createReader = (exchange: Exchange) => {
    const { userId, permissions } = getCaller(exchange)
    return { db, ledger: deps.ledger, registry, userId, permissions, nowMs: exchange.nowMs }
  }
  const read = { rate: 'read', owner: 'any', audit: null } as const
  const decideAndPresent = async (exchange: Exchange, id: string, deciding: Deciding) => {
    const row = await decideChange({ ...deps, registry }, exchange, { id, deciding })
    return { changeRequest: await presentDetail(createReader(exchange), row) }
  }
  // The routes of decisions are audited. In addition, `decideChange` writes an audit row in the
  // transaction of the decision.
  const write = { rate: 'write', owner: 'any' } as const
  return [
    ...createListRoutes({
      list: listChangeRequests,
      read: async ({ query }, exchange) => {
        const rows = await listRequests(db, query)
        const changeRequests = await presentRequests(createReader(exchange), rows)
        const isFull = rows.length === query.limit
        return { changeRequests, meta: { next: isFull ? (rows.at(-1)?.id ?? null) : null } }
      },
      csv: {
        endpoint: exportChangeRequests,
        fileName: 'approvals.csv',
        audit: 'approval.export',
        columns: COLUMNS,
        toRequest: ({ query }, { limit, after }) => ({ query: { ...query, limit, after } }),
        toPage: ({ changeRequests, meta }) => ({ rows: changeRequests, next: meta.next }),
      },
    }),
    declareRoute(countChangeRequests, { ...read, isNoUse: true }, async (_request, exchange) => {
      const rows = await listRequests(db, { state: 'open', limit: OPEN_MAX })
      const shown = await presentRequests(createReader(exchange), rows)
      return { open: rows.length, forMe: shown.filter(({ canDecide }) => canDecide).length }
    }),
    declareRoute(getDualControl, { ...read, isNoUse: true }, async () => ({
      mode: (await readControls(deps)).mode,
    })),
    declareRoute(getChangeRequest, read, async ({ params }, exchange) => ({
      changeRequest: await presentDetail(createReader(exchange), await getRequest(db, params.id)),
    })),
    createChangeFileRoute(deps, { registry, blobs }),
    declareRoute(
      approveChangeRequest,
      { ...write, audit: 'approval.approve', needsFreshFactor: true },
      ({ params, body: { payloadSha256 } }, exchange) =>
        decideAndPresent(exchange, params.id, { type: 'approve', payloadSha256 }),
    ),
    declareRoute(
      rejectChangeRequest,
      { ...write, audit: 'approval.reject', needsFreshFactor: true },
      ({ params, body: { reason } }, exchange) =>
        decideAndPresent(exchange, params.id, { type: 'reject', reason }),
    ),
    declareRoute(
      withdrawChangeRequest,
      { ...write, audit: 'approval.withdraw' },
      ({ params }, exchange) => decideAndPresent(exchange, params.id, { type: 'withdraw' }),
    ),
  ]
}

/** Creates the route that returns the uploaded files of a request. */
function createChangeFileRoute(
  { db }: Pick<Dependencies, 'db'>,
  { registry, blobs }: { registry: ChangeRegistry; blobs: BlobStore },
): Route {
  const options = { rate: 'read', owner: 'any', audit: null } as const
  return createFileRoute(getChangeFile, options, async ({ params, query: { side } }) => {
    const { row, definition, payload } = toKnownChange(registry, await getRequest(db, params.id))
    const id = definition.getFiles?.(payload, JSON.parse(row.before))[side] ?? null
    const file = id === null ? null : await blobs.find(id)
    if (file === null) throw createNotFoundFailure('There is no such file')
    return answerUpload(file, `${row.kind}-${side}`)
  })
}
