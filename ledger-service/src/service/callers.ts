import { timingSafeEqual } from 'node:crypto'
import { type Command, type CommandType, commandData } from '@cairn/ledger-contracts'
import { hashToBase64url } from '@cairn/service-kit/hash-text'
import { z } from 'zod'

/**
 * The rights of one caller of the HTTP interface. They limit the damage if the caller's credential
 * is stolen.
 */
interface Rights {
  commands: readonly CommandType[]
  /** The actors that the caller's commands may have. An entry that ends in `:` is a prefix. */
  actors: readonly string[]
  /** True if the caller may use queries and the feed of events. */
  canRead: boolean
  /** True if the caller may sign the trial balances of ended months. */
  canCloseMonths: boolean
  /**
   * True if the caller may let the ledger copy plans, rules and approvers from one ledger to
   * another. The caller chooses the ledgers, but not what is copied.
   */
  canCopyRules: boolean
  /** True if the caller may read the queues of a worker and run failed jobs again. */
  canRunJobs: boolean
  canReadMetrics: boolean
}

const NOTHING: Rights = {
  commands: [],
  actors: [],
  canRead: false,
  canCloseMonths: false,
  canCopyRules: false,
  canRunJobs: false,
  canReadMetrics: false,
}
/**
 * Only the command line of the ledger records changes of the signing key, versions of the rules and
 * opening balances. The command line uses its own writer, so no caller may submit these commands.
 */
const OF_NO_CALLER: readonly CommandType[] = ['ReplaceSigningKey', 'ActivateModel', 'ImportBalance']
// The cast is safe, because the keys of the schemas are the command types.
const ALL_COMMANDS = (Object.keys(commandData) as CommandType[]).filter(
  (type) => !OF_NO_CALLER.includes(type),
)

/**
 * Commands that the gateway may not submit. The worker of the gateway seals the audit log; after
 * one seal with a false count, the ledger would refuse all later seals. The command line on the
 * server sets the mode of dual control. The ledger itself closes months.
 */
const NOT_OF_GATEWAY: readonly CommandType[] = ['SealAudit', 'SetDualControl', 'CloseMonth']

const CALLERS = {
  /**
   * The caller is another instance of the ledger, which has already checked the commands that it
   * forwards. The demo also uses this caller.
   */
  ledger: {
    commands: ALL_COMMANDS,
    actors: ['user:', 'admin:', 'system:'],
    canRead: true,
    canCloseMonths: true,
    canCopyRules: true,
    canRunJobs: true,
    canReadMetrics: true,
  },
  gateway: {
    ...NOTHING,
    commands: ALL_COMMANDS.filter((type) => !NOT_OF_GATEWAY.includes(type)),
    actors: [
      'user:',
      'admin:',
      'system:activation',
      'system:change-requests',
      'system:credential-hold',
      'system:referrals',
    ],
    canRead: true,
    canRunJobs: true,
  },
  'gateway-worker': {
    ...NOTHING,
    commands: ['ActivateInvestor', 'HoldWithdrawal', 'SealAudit'],
    actors: ['system:activation', 'system:credential-hold', 'system:audit-sealer'],
    canRead: true,
    canCopyRules: true,
    canRunJobs: true,
  },
  'ledger-worker': {
    ...NOTHING,
    commands: ['AccrueThrough', 'PayReferralBonus'],
    actors: ['system:accruals', 'system:referrals'],
    canRead: true,
    canCloseMonths: true,
  },
  /** The command line on the server, which changes controls and moves no money. */
  server: {
    ...NOTHING,
    commands: ['SetMoneyRules', 'AddApprover', 'RemoveApprover', 'SetDualControl'],
    actors: ['system:server'],
    canRead: true,
  },
  auditor: { ...NOTHING, canRead: true },
  metrics: { ...NOTHING, canReadMetrics: true },
} as const satisfies Record<string, Rights>
export type CallerName = keyof typeof CALLERS

export interface Caller extends Rights {
  name: CallerName
}

const TOKEN_CHARACTERS_MIN = 32
const Name = z.enum(Object.keys(CALLERS) as [CallerName, ...CallerName[]])
const Token = z
  .string()
  .min(TOKEN_CHARACTERS_MIN, `a token has at least ${TOKEN_CHARACTERS_MIN} characters`)
  .regex(/^[\w-]+$/, 'a token has letters, digits, - and _ only')

/**
 * The tokens of each caller, such as `{"gateway": ["token"]}`. A caller can have two valid tokens
 * while the new token replaces the old token.
 */
export const CallerTokens = z.partialRecord(Name, z.array(Token).min(1).max(2))
export type CallerTokens = z.infer<typeof CallerTokens>

/**
 * Returns a function that finds the caller of a token, or null. The function always compares all
 * token hashes in constant time, so that the response time reveals nothing about the tokens.
 */
export function createCallerLookup(tokens: CallerTokens): (token: string) => Caller | null {
  const known = Object.entries(tokens).flatMap(([name, values = []]) =>
    // The cast is safe, because the schema allows the names of callers only.
    values.map((value) => ({
      name: name as CallerName,
      hash: Buffer.from(hashToBase64url(value)),
    })),
  )
  return (token) => {
    const given = Buffer.from(hashToBase64url(token))
    const found = known.filter(({ hash }) => timingSafeEqual(hash, given)).at(0)
    return found === undefined ? null : { name: found.name, ...CALLERS[found.name] }
  }
}

/** Returns the reason why the caller may not submit the command; null if the caller may. */
export function findSubmitProblem(caller: Caller, { type, actor }: Command): string | null {
  if (!caller.commands.includes(type)) return `${caller.name} may not submit ${type}`
  const isAllowed = caller.actors.some((allowed) =>
    allowed.endsWith(':') ? actor.startsWith(allowed) : actor === allowed,
  )
  return isAllowed ? null : `${caller.name} may not submit commands of ${actor}`
}
