import { type FieldError, toErrorMap } from '@cairn/gateway-contracts'
import { hashToHex } from '@cairn/service-kit/hash-text'
import { findViolatedConstraint } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { type AuditEntry, recordAudit } from '../../platform/http/audit.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { type Exchange, getCaller } from '../../platform/http/registry.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { isDualControlRequired } from '../users/index.ts'
import { announceChange, type Decided, reloadApprovalPages } from './announce.ts'
import { addReferrers, listPermittedAdmins } from './approvers.ts'
import { toCanonicalJson } from './canonical-json.ts'
import type { ChangeDefinition } from './definition.ts'
import { storePrivateReason } from './private-reason.ts'
import { type ChangeRow, findOpenRequest, findRequest, insertRequest, toSummary } from './store.ts'

export type RequestDependencies = Pick<Dependencies, 'db' | 'ledger' | 'ledgers' | 'seal'>

const UNIQUE = ['change_request_pkey', 'change_request_open']
const WAITS = 'Waiting for the approval of another administrator'

export interface Proposal<Payload> {
  payload: Payload
  /** The reason of the maker. The default is the title of the change. */
  reason: string | null
  /** The form fields that wait for approval. The failure lists them in `errors`. */
  fields: readonly string[]
  errors: 'list' | 'map'
}

/** Returns true if this change currently needs the approval of a second administrator. */
export async function isChangeNeeded<Payload>(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  { isNeeded }: ChangeDefinition<Payload>,
): Promise<boolean> {
  return isNeeded === 'always' || (await isDualControlRequired(deps))
}

/**
 * Stores a change request instead of making the change. Returns the failure to throw. Its status is
 * 409, because a success would tell the client that the change was made.
 */
export async function requestChange<Payload>(
  deps: RequestDependencies,
  exchange: Exchange,
  { definition, proposal }: { definition: ChangeDefinition<Payload>; proposal: Proposal<Payload> },
): Promise<HttpFailure> {
  const row = await storeRequest(deps, exchange, { definition, proposal })
  return toRequestedFailure(row, proposal)
}

/**
 * Stores the request and returns it. If an earlier attempt has stored the request, returns the
 * stored request.
 */
export async function storeRequest<Payload>(
  deps: RequestDependencies,
  exchange: Exchange,
  { definition, proposal }: { definition: ChangeDefinition<Payload>; proposal: Proposal<Payload> },
): Promise<ChangeRow> {
  const { userId } = getCaller(exchange)
  const payload = definition.payload.parse(proposal.payload)
  const content = toCanonicalJson(proposal.payload)
  const title = definition.getTitle(payload).slice(0, 200)
  const target = definition.getTarget(payload)
  const { kind } = definition
  const asked = { id: exchange.subjectId, kind, target, content, userId }
  const known = await findRepeatedRequest(deps, asked)
  if (known !== null) return known
  const beneficiaries = await definition.listBeneficiaries(payload)
  const excluded = await addReferrers(deps.db, beneficiaries)
  if (excluded.has(userId)) {
    const message =
      'This change is about you or a person you referred: another administrator must propose it'
    throw new HttpFailure(409, 'BENEFICIARY', message)
  }
  const { nowMs, subjectId: id } = exchange
  const reason =
    proposal.reason === null
      ? title
      : await storePrivateReason(deps.db, { beneficiaries, reason: proposal.reason, nowMs })
  try {
    return await deps.db.transaction().execute(async (trx) => {
      const before = toCanonicalJson(await definition.readBefore(trx, payload))
      const request = { id, kind, target, title, payload: content, before, reason, nowMs }
      const row = await insertRequest(trx, { ...request, createdBy: userId })
      const { approve: permission } = definition.permission
      const others = { permission, excluded: new Set([...excluded, userId]), nowMs }
      const deciders = await listPermittedAdmins(trx, others)
      const values = { change: title, person: getCaller(exchange).name, reason, request: id }
      for (const decider of deciders) {
        const mail = { kind: 'change-requested', userId: decider, content: values, nowMs } as const
        await queueMail(trx, deps.seal, mail)
      }
      await recordProposal(trx, exchange, row)
      const decided: Decided = { row, by: getCaller(exchange).name, to: deciders }
      await announceChange(trx, decided, nowMs)
      await reloadApprovalPages(trx, nowMs)
      return row
    })
  } catch (error) {
    if (!UNIQUE.includes(findViolatedConstraint(error) ?? '')) throw error
    // A simultaneous copy of this request has stored it, or another change to the same object.
    const stored = await findRepeatedRequest(deps, asked)
    if (stored === null) throw createAlreadyPendingFailure()
    return stored
  }
}

/**
 * Finds the request that an earlier attempt stored. Throws if another change to the same object is
 * open.
 */
async function findRepeatedRequest(
  { db }: Pick<Dependencies, 'db'>,
  asked: { id: string; kind: ChangeRow['kind']; target: string; content: string; userId: string },
): Promise<ChangeRow | null> {
  const same = await findRequest(db, asked.id)
  if (same !== null) return same
  const open = await findOpenRequest(db, asked)
  if (open === null) return null
  const isOwn = open.created_by === asked.userId
  if (isOwn && open.payload_sha256 === hashToHex(asked.content)) return open
  throw createAlreadyPendingFailure()
}

async function recordProposal(
  trx: Parameters<typeof recordAudit>[0],
  exchange: Exchange,
  row: ChangeRow,
): Promise<void> {
  const { ip, requestId, nowMs } = exchange
  const entry: AuditEntry = {
    actorId: row.created_by,
    action: 'change.propose',
    subject: row.target,
    ip,
    requestId,
    details: {
      change: row.id,
      kind: row.kind,
      title: row.title,
      reason: row.reason,
      payloadSha256: row.payload_sha256,
    },
  }
  await recordAudit(trx, entry, nowMs)
}

function createAlreadyPendingFailure(): HttpFailure {
  const message =
    'Another change to this object is already waiting for approval. Decide on it or withdraw it first.'
  return new HttpFailure(409, 'CHANGE_PENDING', message)
}

function toRequestedFailure(
  row: ChangeRow,
  { fields, errors }: Pick<Proposal<unknown>, 'fields' | 'errors'>,
): HttpFailure {
  const message = 'Sent for approval: another administrator must approve this change'
  const list: FieldError[] = fields.map((field) => ({ [field]: WAITS }))
  return new HttpFailure(409, 'CHANGE_REQUESTED', message, {
    data: { changeRequest: toSummary(row) },
    errors: errors === 'list' ? list : toErrorMap(list),
  })
}
