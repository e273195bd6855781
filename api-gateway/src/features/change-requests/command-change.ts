import type { ChangeKind, Permission } from '@cairn/gateway-contracts'
import {
  type Command,
  type CommandType,
  commandData,
  type DataOf,
  type Recorded,
  type Refused,
} from '@cairn/ledger-contracts'
import { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { storePrivateText } from '../../platform/erasure/private-text.ts'
import { createInvalidFieldFailure, HttpFailure } from '../../platform/http/failure.ts'
import { type Exchange, getCaller } from '../../platform/http/registry.ts'
import { toFailure, toServerFailure } from '../../platform/ledger-client/refusal.ts'
import { getRequestedLedger } from '../../platform/ledger-client/requested-ledger.ts'
import type { SiteLedgers } from '../../platform/ledger-client/site-ledgers.ts'
import { submit } from '../../platform/ledger-client/submit.ts'
import { type DescribedLine, toTextLine } from './change-lines.ts'
import { CHANGE_ACTOR, toCommandApproval } from './command-approval.ts'
import type { ChangeDefinition, Execution } from './definition.ts'
import { type RequestDependencies, requestChange } from './request.ts'

const REASON_CHARACTERS_MIN = 10

/** The fields of a command that the ledger hashes, and the ledger that records the command. */
export interface CommandPayload<Type extends CommandType> {
  type: Type
  data: DataOf<Type>
  effectiveAt: null
  /** The further ledger that the proposer chose. By default, the client of the site chooses. */
  ledger?: number | undefined
}

interface CommandSpec<Type extends CommandType> {
  kind: ChangeKind
  type: Type
  permission: Permission
  /** The permission of the call that proposes the change. The default is `permission`. */
  proposedWith?: Permission
  /** The ledgers among which the proposer chooses; missing if the proposer chooses none. */
  ledgers?: SiteLedgers
  getTarget(data: DataOf<Type>, ledger: number | null): string
  getTitle(data: DataOf<Type>, ledger: number | null): string
  getLink(data: DataOf<Type>, ledger: number | null): string
  listBeneficiaries(data: DataOf<Type>): Promise<readonly string[]>
  readBefore(data: DataOf<Type>): Promise<unknown>
  findObstacle?(db: Database, data: DataOf<Type>): Promise<string | null>
  present(data: DataOf<Type>, before: unknown): Promise<readonly DescribedLine[]>
}

/**
 * Creates the definition of a change that sends a command. Only the ledger decides whether the
 * command needs two people.
 */
export function createCommandChange<Type extends CommandType>(
  { ledger }: Pick<Dependencies, 'ledger'>,
  spec: CommandSpec<Type>,
): ChangeDefinition<CommandPayload<Type>> {
  const { kind, type, permission, proposedWith = permission, ledgers } = spec
  const findFurther = ({ ledger: chosen }: CommandPayload<Type>) =>
    ledgers === undefined || chosen === undefined ? null : ledgers.getClient(chosen)
  return {
    kind,
    // The cast is safe because `commandData[type]` is the schema of this type.
    payload: z.strictObject({
      type: z.literal(type),
      data: commandData[type],
      effectiveAt: z.null(),
      ...(ledgers === undefined ? {} : { ledger: z.int().optional() }),
    }) as unknown as z.ZodType<CommandPayload<Type>>,
    permission: { propose: proposedWith, approve: permission },
    isNeeded: 'always',
    getTarget: (payload) => spec.getTarget(payload.data, payload.ledger ?? null),
    getTitle: (payload) => spec.getTitle(payload.data, payload.ledger ?? null),
    getLink: (payload) => spec.getLink(payload.data, payload.ledger ?? null),
    findFurther,
    hasCommand: () => true,
    listBeneficiaries: ({ data }) => spec.listBeneficiaries(data),
    readBefore: (_db, { data }) => spec.readBefore(data),
    findObstacle: async (trx, { data }) => (await spec.findObstacle?.(trx, data)) ?? null,
    describeChange: async ({ data, ledger: chosen }, before) => [
      ...(chosen === undefined ? [] : [toTextLine('Ledger', { after: String(chosen) })]),
      ...(await spec.present(data, before)),
    ],
    execute: async (change) => {
      const { payload } = change
      await executeCommand({ ledger: findFurther(payload) ?? ledger }, change, payload)
    },
  }
}

/** Sends the command with the approvals of both people. All attempts have one idempotency key. */
export async function executeCommand<Type extends CommandType>(
  { ledger }: Pick<Dependencies, 'ledger'>,
  change: Execution<unknown>,
  { type, data, effectiveAt }: CommandPayload<Type>,
): Promise<Recorded> {
  // The cast is safe because `CommandPayload` pairs the type with its data.
  const command = { type, data, effectiveAt } as Pick<Command, 'type' | 'data' | 'effectiveAt'>
  const approved = {
    ...command,
    actor: CHANGE_ACTOR,
    key: change.key,
    requestId: change.requestId,
    approval: toCommandApproval(change, command),
  } as Command
  return submit(ledger, approved, ({ message }) => new HttpFailure(409, 'CHANGE_FAILED', message))
}

export interface Sending<Type extends CommandType> {
  definition: ChangeDefinition<CommandPayload<Type>>
  data: DataOf<Type>
  key: string | null
  /** The person whom the reason is about; null if the reason is about no person. */
  about: string | null
  reason: string | null
  /** The field of the request that contains the reason. The default is `reason`. */
  reasonField?: 'reason' | 'note'
  /** The further ledger that records the command. By default, the client of the site chooses. */
  ledger?: number | undefined
  fields: readonly string[]
  wording?: (refusal: Refused) => HttpFailure | null
}

/**
 * Sends a command with one administrator as its actor. If the ledger requires a second
 * administrator, stores a change request and throws 409 `CHANGE_REQUESTED`.
 */
export async function submitOrRequest<Type extends CommandType>(
  deps: RequestDependencies,
  exchange: Exchange,
  { type, ...sending }: Sending<Type> & { type: Type },
): Promise<Recorded> {
  const { definition, key, reason, reasonField, ledger, fields, wording } = sending
  const client = await getRequestedLedger(deps, ledger)
  const data = await storePrivateReasons(deps.db, sending, exchange.nowMs)
  const answer = await client.submit({
    type,
    data,
    actor: `admin:${getCaller(exchange).userId}`,
    key,
    requestId: exchange.requestId,
    effectiveAt: null,
  } as Command)
  if (answer.outcome === 'recorded') return answer
  if (answer.outcome === 'failed') throw toServerFailure(answer)
  if (answer.code !== 'SECOND_APPROVER_NEEDED') throw wording?.(answer) ?? toFailure(answer)
  requireReason(reason, reasonField)
  const chosen = ledger === undefined ? {} : { ledger }
  const payload: CommandPayload<Type> = { type, data, effectiveAt: null, ...chosen }
  const proposal = { payload, reason, fields, errors: 'list' } as const
  throw await requestChange(deps, exchange, { definition, proposal })
}

/**
 * Returns the data with a reference in place of the reason, because the ledger cannot delete a
 * text.
 */
async function storePrivateReasons<Type extends CommandType>(
  db: Database,
  { data, about }: Pick<Sending<Type>, 'data' | 'about'>,
  nowMs: number,
): Promise<DataOf<Type>> {
  if (about === null || !('reason' in data) || typeof data.reason !== 'string') return data
  return {
    ...data,
    reason: await storePrivateText(db, { userId: about, text: data.reason, nowMs }),
  }
}

/** Throws if the reason is too short to inform the second administrator. */
export function requireReason(reason: string | null, field: 'reason' | 'note' = 'reason'): void {
  if (reason !== null && reason.trim().length >= REASON_CHARACTERS_MIN) return
  const message = `Enter a reason of at least ${REASON_CHARACTERS_MIN} characters: a second administrator reads it before the decision`
  throw createInvalidFieldFailure(field, message)
}
