import { changeRefusals } from '@cairn/gateway-contracts'
import { type AuditEntry, recordAudit } from '../../platform/http/audit.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { type Exchange, getCaller } from '../../platform/http/registry.ts'
import { announceChange, reloadApprovalPages } from './announce.ts'
import { type ChangeAct, decideChangeAct, type Refusal } from './change-act.ts'
import { type ExecuteDependencies, executeChange } from './execute.ts'
import { readDeciderAndMaker, readFacts, toKnownChange } from './known-change.ts'
import { storePrivateReason } from './private-reason.ts'
import {
  type ChangeRow,
  getRequest,
  insertApproval,
  lockRequest,
  setRequestState,
} from './store.ts'

export type Deciding =
  | { type: 'approve'; payloadSha256: string }
  | { type: 'reject'; reason: string }
  | { type: 'withdraw' }

type Outcome = { row: ChangeRow } | { refusal: Refusal; row: ChangeRow }

/**
 * Records a decision. An approved change is carried out at once. If the process stops after the
 * approval but before the change, a job carries out the change.
 */
export async function decideChange(
  deps: ExecuteDependencies,
  exchange: Exchange,
  { id, deciding: typed }: { id: string; deciding: Deciding },
): Promise<ChangeRow> {
  const deciding = await storeRejectionReason(deps, { id, deciding: typed, nowMs: exchange.nowMs })
  const outcome = await decideLockedRequest(deps, exchange, { id, deciding })
  if ('refusal' in outcome) throw await toDecisionFailure(deps, exchange, outcome)
  if (deciding.type !== 'approve') return outcome.row
  const row = await executeChange(deps, { id, nowMs: exchange.nowMs })
  if (row.state !== 'failed') return row
  throw new HttpFailure(409, 'CHANGE_FAILED', row.failure ?? 'The change was not carried out')
}

/**
 * Returns the decision to store. If a rejection concerns a person, the stored reason is only a
 * reference, so that the reason can be erased with the person.
 */
async function storeRejectionReason(
  { db, registry }: Pick<ExecuteDependencies, 'db' | 'registry'>,
  { id, deciding, nowMs }: { id: string; deciding: Deciding; nowMs: number },
): Promise<Deciding> {
  if (deciding.type !== 'reject') return deciding
  const { definition, payload } = toKnownChange(registry, await getRequest(db, id))
  const beneficiaries = await definition.listBeneficiaries(payload)
  const { reason } = deciding
  return { ...deciding, reason: await storePrivateReason(db, { beneficiaries, reason, nowMs }) }
}

async function decideLockedRequest(
  { db, ledger, registry }: ExecuteDependencies,
  exchange: Exchange,
  { id, deciding }: { id: string; deciding: Deciding },
): Promise<Outcome> {
  const { nowMs } = exchange
  const { userId, name } = getCaller(exchange)
  return await db.transaction().execute(async (trx): Promise<Outcome> => {
    const row = await lockRequest(trx, id)
    if (isRepeatedDecision(row, userId, deciding)) return { row }
    const known = toKnownChange(registry, row)
    const facts = await readFacts(trx, known)
    const { by, maker } = await readDeciderAndMaker({ db: trx, ledger }, known, {
      by: userId,
      nowMs,
    })
    const verdict = decideChangeAct(facts, toChangeAct(deciding, { by, maker }), nowMs)
    if ('refusal' in verdict) {
      const isOverdue = verdict.refusal === 'expired'
      const decided = { by: null, nowMs }
      const ended = isOverdue ? await setRequestState(trx, { id, state: 'expired', decided }) : row
      if (isOverdue) await reloadApprovalPages(trx, nowMs)
      // The refusal is returned and not thrown, because an exception would roll back the new state
      // of the request.
      return { refusal: verdict.refusal, row: ended }
    }
    if (deciding.type === 'approve') {
      const { payloadSha256 } = deciding
      await insertApproval(trx, id, { approverId: userId, approvedAtMs: nowMs, payloadSha256 })
    }
    const failure = deciding.type === 'reject' ? deciding.reason : null
    const decided = { by: userId, nowMs }
    const ended = await setRequestState(trx, { id, state: verdict.to, failure, decided })
    await recordDecision(trx, exchange, { row: ended, deciding })
    if (deciding.type === 'reject') {
      await announceChange(trx, { row: ended, by: name, to: [row.created_by] }, nowMs)
    }
    await reloadApprovalPages(trx, nowMs)
    return { row: ended }
  })
}

/**
 * Returns true if the person has already made this decision on the request. In this case, the
 * caller returns the answer to the first decision again.
 */
function isRepeatedDecision(row: ChangeRow, userId: string, { type }: Deciding): boolean {
  if (row.decided_by !== userId) return false
  if (type === 'approve') return ['approved', 'executed', 'failed'].includes(row.state)
  return row.state === (type === 'reject' ? 'rejected' : 'withdrawn')
}

function toChangeAct(
  deciding: Deciding,
  { by, maker }: Awaited<ReturnType<typeof readDeciderAndMaker>>,
): ChangeAct {
  switch (deciding.type) {
    case 'approve':
      return { type: 'approve', by, maker, payloadSha256: deciding.payloadSha256 }
    case 'reject':
      return { type: 'reject', by }
    case 'withdraw':
      return { type: 'withdraw', by: by.id }
  }
}

async function recordDecision(
  trx: Parameters<typeof recordAudit>[0],
  exchange: Exchange,
  { row, deciding }: { row: ChangeRow; deciding: Deciding },
): Promise<void> {
  const { ip, requestId, nowMs } = exchange
  const { id: change, kind, title, target: subject, payload_sha256: payloadSha256 } = row
  const reason = deciding.type === 'reject' ? { reason: deciding.reason } : {}
  const entry: AuditEntry = {
    actorId: getCaller(exchange).userId,
    action: `change.${deciding.type}`,
    subject,
    ip,
    requestId,
    details: { change, kind, title, payloadSha256, ...reason },
  }
  await recordAudit(trx, entry, nowMs)
}

async function toDecisionFailure(
  source: Pick<ExecuteDependencies, 'db' | 'ledger' | 'registry'>,
  exchange: Exchange,
  { refusal, row }: { refusal: Refusal; row: ChangeRow },
): Promise<HttpFailure> {
  const { nowMs } = exchange
  const known = toKnownChange(source.registry, row)
  const { by } = await readDeciderAndMaker(source, known, { by: getCaller(exchange).userId, nowMs })
  return toRefusalFailure(refusal, { state: row.state, sinceMs: by.sinceMs })
}

export function toRefusalFailure(
  refusal: Refusal,
  { state, sinceMs }: { state: string; sinceMs: number | null },
): HttpFailure {
  const { status, code, message } = changeRefusals[refusal]
  const time = sinceMs === null ? 'now' : new Date(sinceMs).toISOString()
  const sentence = message.replace('{state}', state).replace('{time}', time)
  return new HttpFailure(status, code, sentence)
}
