import {
  openCheckpoint,
  ProofError,
  parseVerifierKey,
  type VerifierKey,
} from '@cairn/ledger-contracts/proof'
import type pg from 'pg'

export interface SignedHead {
  size: bigint
  root: Buffer
  note: string
  keys: readonly VerifierKey[]
}

/** Every checkpoint of a ledger by its size, with the keys that may have signed it. */
export async function readCheckpoints(
  client: pg.PoolClient,
  ledger: number,
): Promise<ReadonlyMap<bigint, SignedHead>> {
  const keys = await client.query<{ verifier_key: string }>(
    'select verifier_key from ledger.log_key where ledger_id = $1',
    [ledger],
  )
  const known = keys.rows.map(({ verifier_key }) => parseVerifierKey(verifier_key))
  const { rows } = await client.query<{ size: bigint; root: Buffer; note: string }>(
    'select size, root, note from ledger.checkpoint where ledger_id = $1 order by size',
    [ledger],
  )
  return new Map(rows.map((row) => [row.size, { ...row, keys: known }]))
}

/** Whether what was signed is what stands there now: the root of its events. */
export async function checkpointProblems(
  signed: SignedHead,
  root: Buffer,
): Promise<readonly string[]> {
  const { size, note, keys } = signed
  try {
    const checkpoint = await openCheckpoint(note, keys)
    const isSame = checkpoint.size === size && root.equals(checkpoint.root)
    if (isSame && root.equals(signed.root)) return []
    return [`the first ${size} events are not those of the checkpoint that was signed over them`]
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return [`the checkpoint of ${size} events: ${error.message}`]
  }
}
