import type pg from 'pg'
import { MovedAway } from './deposed.ts'
import { createFencingToken } from './fencing-token.ts'

/**
 * What the seal of a head says about its ledger. `leaving`: the ledger is being moved to another
 * place; it can still stay. `left`: the other place has the ledger. `arriving`: this place has a copy
 * that no writer may continue yet.
 */
export type SealKind = 'leaving' | 'left' | 'arriving'

export interface Seal {
  readonly kind: SealKind
  /** Names the other place, see `createSealToken`. */
  readonly token: bigint
}

/**
 * A sealed head names a version of the rules that no program knows: the version in force plus a
 * multiple of this number. No writer can take over such a head, also none of an older release.
 */
const UNIT = 1_000_000
const KINDS: readonly SealKind[] = ['leaving', 'left', 'arriving']

/**
 * Returns the error of a writer that tries to take over a sealed head. After the ledger has left,
 * its writer is deposed, so that its commands do not wait here. While it can still stay, they wait.
 */
export function createSealError(ledger: number, kind: SealKind): Error {
  if (kind === 'left') {
    return new MovedAway(`ledger ${ledger} has moved to another place of LEDGER_DIRECTORY`)
  }
  return new Error(`ledger ${ledger} is being moved: nothing is recorded until the move ends`)
}

/** Returns the kind of seal that the stored version names; null if the head is not sealed. */
export function findSealKind(storedModel: number): SealKind | null {
  return KINDS[Math.floor(storedModel / UNIT) - 1] ?? null
}

/** Returns the version of the rules without the seal. */
export function removeSeal(storedModel: number): number {
  return storedModel % UNIT
}

/** Returns the version that a head with this seal names. */
export function addSeal(model: number, kind: SealKind): number {
  return removeSeal(model) + (KINDS.indexOf(kind) + 1) * UNIT
}

/** A head as the mover sees it. */
export interface SealedState {
  readonly size: bigint
  readonly root: Buffer
  readonly seal: Seal | null
}

/** Returns null if the ledger has no head in this database. */
export async function readSealedState(
  client: Pick<pg.ClientBase, 'query'>,
  ledger: number,
): Promise<SealedState | null> {
  const { rows } = await client.query<{ size: bigint; root: Buffer; model: number; token: bigint }>(
    'select size, root, model, fencing_token as token from ledger.head where ledger_id = $1',
    [ledger],
  )
  const [row] = rows
  if (row === undefined) return null
  const { size, root, model, token } = row
  const kind = findSealKind(model)
  return { size, root, seal: kind === null ? null : { kind, token } }
}

/**
 * Changes the seal of a head, if it is `from` now. The new fencing token ends the session of a
 * writer: its next batch is not written. Waits for a batch that is being written. Returns false if
 * the head has another seal.
 */
export async function changeSeal(
  client: Pick<pg.ClientBase, 'query'>,
  { ledger, from, to }: { ledger: number; from: Seal | null; to: Seal | null },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update ledger.head set previous_token = fencing_token, fencing_token = $4,
       model = model % ${UNIT} + $5
     where ledger_id = $1 and model / ${UNIT} = $2 and ($3::bigint is null or fencing_token = $3)`,
    [
      ledger,
      from === null ? 0 : KINDS.indexOf(from.kind) + 1,
      from?.token ?? null,
      to?.token ?? createFencingToken(),
      to === null ? 0 : addSeal(0, to.kind),
    ],
  )
  return rowCount === 1
}
