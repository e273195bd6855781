import type pg from 'pg'
import { UsageError } from './commands.ts'

interface Accepted {
  /** True if the command takes an argument, such as the number of an event. */
  hasArgument: boolean
  options: readonly string[]
  /** Pairs of options that contradict each other. */
  apart?: ReadonlyArray<readonly [string, string]>
}

export const ACCEPTED: Readonly<Record<string, Accepted>> = {
  verify: { hasArgument: false, options: ['since', 'audit'], apart: [['since', 'audit']] },
  rebuild: { hasArgument: false, options: ['repair'] },
  checkpoint: { hasArgument: false, options: [] },
  find: { hasArgument: true, options: [] },
  prove: { hasArgument: true, options: [] },
  'verify-receipt': { hasArgument: true, options: ['key'] },
  export: { hasArgument: true, options: [] },
  'verify-export': { hasArgument: true, options: ['key'] },
  'trial-balance': {
    hasArgument: false,
    options: ['at', 'seq', 'month', 'key'],
    apart: [
      ['at', 'seq'],
      ['month', 'at'],
      ['month', 'seq'],
    ],
  },
  balance: { hasArgument: true, options: ['at', 'seq', 'effective'], apart: [['at', 'seq']] },
  'activate-model': { hasArgument: false, options: [] },
  'import-balances': { hasArgument: true, options: ['dry-run'] },
  'rotate-signing-key': { hasArgument: false, options: [] },
  move: { hasArgument: false, options: ['to'] },
  'declare-fork': { hasArgument: false, options: ['reason', 'from'] },
}

/** The options that every command takes. */
const COMMON = ['ledger', 'json']

/**
 * Throws if the command does not use an argument or an option that was given. A result must not
 * leave out a part of the question.
 */
export function requireAccepted(
  command: string,
  given: { argument: string | null; options: readonly string[] },
): void {
  const accepted = ACCEPTED[command]
  if (accepted === undefined) return
  if (given.argument !== null && !accepted.hasArgument) {
    throw new UsageError(`${command} takes no argument such as ${given.argument}`)
  }
  for (const name of given.options) {
    if (![...COMMON, ...accepted.options].includes(name)) {
      throw new UsageError(`${command} takes no --${name}`)
    }
  }
  for (const [one, other] of accepted.apart ?? []) {
    if (given.options.includes(one) && given.options.includes(other)) {
      throw new UsageError(`${command} takes --${one} or --${other}, not both`)
    }
  }
}

export function parseLedgerNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new UsageError('--ledger takes the number of a ledger, such as 1')
  }
  return Number(text)
}

/**
 * Throws if the database has nothing of the ledger: a verification of nothing would succeed. A
 * ledger that has only a head has no events yet, and events without a head are verified.
 */
export async function requireLedger(pool: pg.Pool, ledger: number): Promise<void> {
  const { rows } = await pool.query<{ exists: boolean }>(
    `select exists (select from ledger.head where ledger_id = $1)
       or exists (select from ledger.event where ledger_id = $1) as exists`,
    [ledger],
  )
  if (rows[0]?.exists === true) return
  throw new UsageError(`this database has no events of ledger ${ledger}`)
}
