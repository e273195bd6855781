import type { DataOf } from '@cairn/ledger-contracts'
import type { World } from './world.ts'

const FILES = ['a'.repeat(64), 'b'.repeat(64)] as const
const LINES = 60

/** Returns a line of one of two files of opening balances. `wallet` is the code of an account. */
export function createImportedLine(
  random: World['random'],
  wallet: string,
): DataOf<'ImportBalance'> {
  return {
    fileSha256: random.pick(FILES),
    line: 1 + random.pickInt(LINES),
    lastLine: LINES,
    account: random.pick(['reserve', 'cash:bank', wallet]),
    asset: random.pick(['USD/2', 'USD/2', 'EUR/2']),
    isCredit: random.drawChance(0.8),
    amountMinor: BigInt(1 + random.pickInt(40)) * 1_000n,
  }
}
