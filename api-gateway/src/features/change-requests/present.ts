import {
  type ChangeDetail,
  type ChangeLine,
  type ChangeRequest,
  MASKED_FIELDS,
  type Permission,
} from '@cairn/gateway-contracts'
import type { LedgerClient } from '@cairn/ledger-contracts'
import { replaceReferencesByTexts } from '../../platform/erasure/private-text.ts'
import { toHttpFailure } from '../../platform/http/failure.ts'
import { FurtherLedgerUnreachable } from '../../platform/ledger-client/further-ledger-unreachable.ts'
import { findPersons, toPersonField } from '../users/index.ts'
import { type ApproverSource, type Candidates, findCandidates, toApprover } from './approvers.ts'
import { toCanonicalJson } from './canonical-json.ts'
import { refuseApproval } from './change-act.ts'
import type { DescribedLine } from './change-lines.ts'
import { toRefusalFailure } from './decide.ts'
import type { ChangeRegistry } from './definition.ts'
import { type KnownChange, readFacts, toApproverSource, toKnownChange } from './known-change.ts'
import { type ChangeRow, listApprovals, toSummary } from './store.ts'

interface Reader extends ApproverSource {
  registry: ChangeRegistry
  userId: string
  /** Data that a role without its permission sees masked elsewhere is masked here too. */
  permissions: ReadonlySet<Permission>
  nowMs: number
}

/**
 * Converts the requests to the API format for one administrator. The format states whether this
 * administrator may decide on the request.
 */
export async function presentRequests(
  reader: Reader,
  rows: readonly ChangeRow[],
): Promise<ChangeRequest[]> {
  const { db, userId } = reader
  const people = rows.flatMap(({ created_by, decided_by }) => [created_by, decided_by ?? ''])
  const readCandidates = createCandidateReader(reader, [userId, ...people])
  const [persons] = await Promise.all([findPersons(db, people), readCandidates(reader.ledger)])
  const shown: ChangeRequest[] = []
  for (const row of rows) {
    const blocked = await findApprovalObstacle(reader, row, readCandidates)
    const isPending = row.state === 'pending'
    shown.push({
      ...toSummary(row),
      target: toVisibleTarget(reader, row),
      reason: row.reason,
      decidedAt: row.decided_at?.toISOString() ?? null,
      failure: row.failure,
      payloadSha256: row.payload_sha256,
      canDecide: isPending && blocked === null,
      canWithdraw: isPending && row.created_by === userId,
      blockedBecause: isPending ? blocked : null,
      ...toPersonField('createdBy', persons.get(row.created_by)),
      ...toPersonField('decidedBy', persons.get(row.decided_by ?? '')),
    })
  }
  return await replaceReferencesByTexts(db, shown)
}

function toVisibleTarget({ registry, permissions }: Reader, { kind, target }: ChangeRow): string {
  const { targetField } = registry[kind]
  if (targetField === undefined) return target
  const { permission, mask } = MASKED_FIELDS[targetField]
  return permissions.has(permission) ? target : mask(target)
}

/**
 * Returns a function that reads the candidates of each ledger once. A ledger that does not answer
 * takes seconds, so it must not be asked again for each of its requests.
 */
function createCandidateReader(
  { db, nowMs }: Reader,
  ids: readonly string[],
): (ledger: LedgerClient) => Promise<Candidates> {
  const known = new Map<LedgerClient, Promise<Candidates>>()
  return (ledger) => {
    const candidates = known.get(ledger) ?? findCandidates({ db, ledger }, { ids, nowMs })
    known.set(ledger, candidates)
    return candidates
  }
}

async function findApprovalObstacle(
  reader: Reader,
  row: ChangeRow,
  readCandidates: (ledger: LedgerClient) => Promise<Candidates>,
): Promise<string | null> {
  if (row.state !== 'pending') return null
  const known = toKnownChange(reader.registry, row)
  try {
    const candidates = await readCandidates(toApproverSource(reader, known).ledger)
    return await findRefusal(reader, known, candidates)
  } catch (error) {
    // The list also has requests of the other ledgers.
    if (error instanceof FurtherLedgerUnreachable) return toHttpFailure(error).message
    throw error
  }
}

async function findRefusal(
  { db, userId, nowMs }: Reader,
  known: KnownChange,
  candidates: Candidates,
): Promise<string | null> {
  const { row, definition } = known
  const { approve, propose } = definition.permission
  const facts = await readFacts(db, known)
  const by = toApprover(candidates, { id: userId, permission: approve })
  const maker = toApprover(candidates, { id: row.created_by, permission: propose })
  const { payloadSha256 } = facts
  const refused = refuseApproval(facts, { by, maker, payloadSha256 }, nowMs)
  if (refused === null) return null
  return toRefusalFailure(refused.refusal, { state: row.state, sinceMs: by.sinceMs }).message
}

export async function presentDetail(reader: Reader, row: ChangeRow): Promise<ChangeDetail> {
  const { db, registry } = reader
  const { definition, payload } = toKnownChange(registry, row)
  const [shown] = await presentRequests(reader, [row])
  if (shown === undefined) throw new Error('a change request is missing from the converted list')
  const approvals = await listApprovals(db, row.id)
  const persons = await findPersons(
    db,
    approvals.map(({ approverId }) => approverId),
  )
  const before: unknown = JSON.parse(row.before)
  const lines = (await definition.describeChange(payload, before)).map((line) =>
    replaceFileIdsByPaths(toVisibleLine(reader, line), row.id),
  )
  return {
    ...shown,
    lines: await replaceReferencesByTexts(db, lines),
    approvals: approvals.map(({ approverId, approvedAtMs }) => ({
      approvedAt: new Date(approvedAtMs).toISOString(),
      ...toPersonField('approver', persons.get(approverId)),
    })),
    isOutdated:
      row.state === 'pending' &&
      toCanonicalJson(await readCurrentState(reader, { definition, payload })) !== row.before,
  }
}

function toVisibleLine({ permissions }: Reader, { masked, ...line }: DescribedLine): ChangeLine {
  if (masked === undefined || permissions.has(masked.permission)) return line
  return { ...line, before: masked.before, after: masked.after }
}

/** Replaces the ids of files in a line by their paths. */
function replaceFileIdsByPaths(line: ChangeLine, id: string): ChangeLine {
  if (line.type !== 'image' && line.type !== 'document') return line
  const toPath = (side: 'before' | 'after') =>
    line[side] === null ? null : `/api/v1/admin/approvals/${id}/file?side=${side}`
  return { ...line, before: toPath('before'), after: toPath('after') }
}

/** Returns the current state of the object; null if the object no longer exists. */
async function readCurrentState(
  { db }: Pick<Reader, 'db'>,
  { definition, payload }: Pick<ReturnType<typeof toKnownChange>, 'definition' | 'payload'>,
): Promise<unknown> {
  return await db.transaction().execute((trx) => definition.readBefore(trx, payload))
}
