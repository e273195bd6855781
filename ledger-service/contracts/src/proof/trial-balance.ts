import { sumByAsset } from './asset-code.ts'
import { type Checkpoint, openCheckpoint, ProofError, type VerifierKey } from './checkpoint.ts'

/**
 * The trial balance of a month: a signed checkpoint of the last event of the month. The extension
 * lines of the checkpoint contain the month and the sum of each account kind in minor units.
 */
export interface TrialBalance {
  /** A UTC month, such as `2026-10`. */
  readonly month: string
  readonly checkpoint: Checkpoint
  readonly totals: ReadonlyMap<string, bigint>
}

const LINES_BEFORE = 3

export function formatTrialBalance(
  month: string,
  totals: ReadonlyMap<string, bigint>,
): readonly string[] {
  const names = [...totals.keys()].sort()
  return [`trial-balance ${month}`, ...names.map((name) => `${name} ${totals.get(name)}`)]
}

/**
 * Returns the trial balance in a signed note. Throws a ProofError unless one of `keys` signed the
 * note and the sums of each asset add up to zero.
 */
export async function openTrialBalance(
  note: string,
  keys: readonly VerifierKey[],
): Promise<TrialBalance> {
  const checkpoint = await openCheckpoint(note, keys)
  const text = note.slice(0, note.lastIndexOf('\n\n'))
  const [title = '', ...lines] = text.split('\n').slice(LINES_BEFORE)
  const month = /^trial-balance (\d{4}-\d{2})$/.exec(title)?.[1]
  if (month === undefined) throw new ProofError('this is not the trial balance of a month')
  const totals = new Map(lines.map(parseLine))
  for (const [asset, sum] of sumByAsset(totals)) {
    const of = asset === null ? '' : ` in ${asset}`
    if (sum !== 0n) {
      throw new ProofError(`the trial balance of ${month}${of} adds up to ${sum}, not to zero`)
    }
  }
  return { month, checkpoint, totals }
}

function parseLine(line: string): [name: string, amountMinor: bigint] {
  const [, name, amount] = /^([a-z:]+(?:@[A-Z0-9]+\/\d+)?) (0|-?[1-9]\d{0,18})$/.exec(line) ?? []
  if (name === undefined || amount === undefined) {
    throw new ProofError('a line of the trial balance is malformed')
  }
  return [name, BigInt(amount)]
}
