import type { Logger } from 'pino'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { type AuditEntry, recordAudit } from '../../platform/http/audit.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { announceChange, reloadApprovalPages } from './announce.ts'
import { syncApprovers } from './approver-sync.ts'
import { type ApproverSource, findCandidates, toApprover } from './approvers.ts'
import { toCanonicalJson } from './canonical-json.ts'
import { decideChangeAct } from './change-act.ts'
import type { DescribedLine } from './change-lines.ts'
import type { ChangeRegistry } from './definition.ts'
import { type KnownChange, readFacts, toApproverSource, toKnownChange } from './known-change.ts'
import {
  type Approval,
  type ChangeRow,
  expireOverdueRequests,
  listApprovals,
  lockRequest,
  setRequestStart,
  setRequestState,
} from './store.ts'

export type ExecuteDependencies = Pick<Dependencies, 'clock' | 'db' | 'ledger'> & {
  registry: ChangeRegistry
}
type ExecuteSource = Pick<ExecuteDependencies, 'ledger' | 'registry'>

const WAITING_MAX = 100
const TOO_MANY = 429

/**
 * Carries out an approved request once. The change and the new state of the request are committed
 * together; a repetition returns the stored result. If the conditions of the change are no longer
 * met, the request gets the final state `failed`. A ledger does not roll its event back with the
 * transaction, so the start of a change with a command is committed before.
 */
export async function executeChange(
  deps: ExecuteDependencies,
  { id, nowMs }: { id: string; nowMs: number },
): Promise<ChangeRow> {
  try {
    const run = (step: typeof startLockedRequest | typeof executeLockedRequest) =>
      deps.db.transaction().execute((trx) => step(trx, deps, { id, nowMs }))
    const started = await run(startLockedRequest)
    const row = started.state === 'approved' ? await run(executeLockedRequest) : started
    const { definition, payload } = toKnownChange(deps.registry, row)
    if (row.state === 'executed') await finishCommittedChange(definition, payload)
    return row
  } catch (error) {
    if (!isFinalFailure(error)) throw error
    return await recordFailedChange(deps, { id, failure: error.message, nowMs })
  }
}

/**
 * Calls `finishChange`. A refusal in `finishChange` does not mark the request as failed, because
 * the change is already committed.
 */
async function finishCommittedChange(
  definition: KnownChange['definition'],
  payload: unknown,
): Promise<void> {
  try {
    await definition.finishChange?.(payload)
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
  }
}

/**
 * Marks a change with a command as started, if it can be carried out. After that, the state is not
 * compared again: the command may have changed it, although its answer was lost. The idempotency
 * key and the checks of the ledger decide instead.
 */
async function startLockedRequest(
  trx: DatabaseTransaction,
  source: ExecuteSource,
  { id, nowMs }: { id: string; nowMs: number },
): Promise<ChangeRow> {
  const row = await lockRequest(trx, id)
  if (row.state !== 'approved' || row.started_at !== null) return row
  const known = toKnownChange(source.registry, row)
  if (known.definition.hasCommand?.(known.payload) !== true) return row
  const approvals = await listApprovals(trx, id)
  const ended = await endObstructedRequest(trx, source, { known, approvals, nowMs })
  return ended ?? (await setRequestStart(trx, id, nowMs))
}

async function executeLockedRequest(
  trx: DatabaseTransaction,
  source: ExecuteSource,
  { id, nowMs }: { id: string; nowMs: number },
): Promise<ChangeRow> {
  const row = await lockRequest(trx, id)
  if (row.state !== 'approved') return row
  const known = toKnownChange(source.registry, row)
  const approvals = await listApprovals(trx, id)
  if (row.started_at === null) {
    const ended = await endObstructedRequest(trx, source, { known, approvals, nowMs })
    if (ended !== null) return ended
  }
  const last = approvals.at(-1)
  if (last === undefined) throw new Error(`change request ${id} has no approval`)
  const { definition, payload } = known
  // The lines are read before the command is sent, so that nothing after it depends on the ledger.
  const lines = await describeLines(known)
  await definition.execute({
    trx,
    payload,
    requestId: row.id,
    key: `change:${row.id}`,
    createdBy: row.created_by,
    createdAtMs: row.created_at.getTime(),
    approvedBy: last.approverId,
    approvedAtMs: last.approvedAtMs,
    nowMs,
  })
  return endRequest(trx, known, { to: 'executed', lines, nowMs })
}

/** Ends the request as failed and returns it; returns null if the change can be carried out. */
async function endObstructedRequest(
  trx: DatabaseTransaction,
  { ledger }: ExecuteSource,
  change: { known: KnownChange; approvals: readonly Approval[]; nowMs: number },
): Promise<ChangeRow | null> {
  const { known, nowMs } = change
  const verdict = await decideExecution({ db: trx, ledger }, change)
  if ('refusal' in verdict) return known.row
  const { definition, payload } = known
  const failure =
    verdict.to === 'failed' ? verdict.failure : await definition.findObstacle?.(trx, payload)
  if (failure === undefined || failure === null) return null
  return endRequest(trx, known, { to: 'failed', failure, lines: await describeLines(known), nowMs })
}

async function describeLines({ row, definition, payload }: KnownChange) {
  return await definition.describeChange(payload, JSON.parse(row.before))
}

async function decideExecution(
  source: ApproverSource,
  change: { known: KnownChange; approvals: readonly Approval[]; nowMs: number },
) {
  const { known, approvals, nowMs } = change
  const { row, definition, payload } = known
  const { approve, propose } = definition.permission
  const ids = [row.created_by, ...approvals.map(({ approverId }) => approverId)]
  const candidates = await findCandidates(toApproverSource(source, known), { ids, nowMs })
  const before = toCanonicalJson(await definition.readBefore(source.db, payload))
  const checkers = approvals.map(({ approverId, payloadSha256 }) => {
    return { ...toApprover(candidates, { id: approverId, permission: approve }), payloadSha256 }
  })
  const maker = toApprover(candidates, { id: row.created_by, permission: propose })
  const isBeforeSame = before === row.before
  const facts = await readFacts(source.db, known)
  return decideChangeAct(facts, { type: 'execute', maker, checkers, isBeforeSame }, nowMs)
}

/** Stores the final state, the audit row and the notification of the maker. */
async function endRequest(
  trx: DatabaseTransaction,
  { row }: KnownChange,
  end: {
    to: ChangeRow['state']
    failure?: string
    lines: readonly DescribedLine[]
    nowMs: number
  },
): Promise<ChangeRow> {
  const { to: state, failure = null, lines, nowMs } = end
  const ended = await setRequestState(trx, { id: row.id, state, failure })
  const entry: AuditEntry = {
    actorId: row.decided_by,
    action: state === 'executed' ? 'change.execute' : 'change.fail',
    subject: row.target,
    ip: 'server',
    requestId: `change:${row.id}`,
    details: {
      change: row.id,
      kind: row.kind,
      title: row.title,
      proposedBy: row.created_by,
      changes: Object.fromEntries(
        lines.filter(({ isPersonal }) => isPersonal !== true).map(toRecordedChange),
      ),
      ...(failure === null ? {} : { failure }),
    },
  }
  await recordAudit(trx, entry, nowMs)
  await announceChange(
    trx,
    { row: ended, by: 'the second administrator', to: [row.created_by] },
    nowMs,
  )
  await reloadApprovalPages(trx, nowMs)
  return ended
}

/** Names the type of an amount, so that readers of the audit log see an amount. */
function toRecordedChange({ label, type, before, after }: DescribedLine) {
  return [label, type === 'money' ? { type, before, after } : { before, after }] as const
}

async function recordFailedChange(
  { db, registry }: ExecuteDependencies,
  { id, failure, nowMs }: { id: string; failure: string; nowMs: number },
): Promise<ChangeRow> {
  return await db.transaction().execute(async (trx) => {
    const locked = await lockRequest(trx, id)
    if (locked.state !== 'approved') return locked
    const known = toKnownChange(registry, locked)
    const lines = await describeLines(known)
    return endRequest(trx, known, { to: 'failed', failure: failure.slice(0, 500), lines, nowMs })
  })
}

/**
 * Returns true for a refusal, which is final. After any error that is not a refusal, such as an
 * unavailable ledger, the job tries again.
 */
function isFinalFailure(error: unknown): error is HttpFailure {
  return error instanceof HttpFailure && error.status < 500 && error.status !== TOO_MANY
}

/**
 * Expires overdue requests and updates the approvers of the ledger. Then carries out the approved
 * requests that an earlier process left open, and returns their number.
 */
export async function finishChanges(
  deps: ExecuteDependencies,
  { nowMs, log }: { nowMs: number; log: Logger },
): Promise<number> {
  await expireOverdueRequests(deps.db, nowMs)
  await syncApprovers(deps)
  const rows = await deps.db
    .selectFrom('platform.change_request')
    .select('id')
    .where('state', '=', 'approved')
    .orderBy('id')
    .limit(WAITING_MAX)
    .execute()
  for (const { id } of rows) {
    // If this request cannot be carried out now, the job must still continue with the next request.
    await executeChange(deps, { id, nowMs }).catch((error: unknown) => {
      log.warn({ err: error, change: id }, 'an approved change has not been carried out yet')
    })
  }
  return rows.length
}
