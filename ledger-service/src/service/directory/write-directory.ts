import { readFile } from 'node:fs/promises'
import { replaceFile } from '@cairn/service-kit/durable-file'
import { z } from 'zod'
import { LedgerRange } from './directory-file.ts'

/** The parts of the file that a move changes. All other settings are kept. */
const Changed = z.looseObject({
  places: z.array(z.looseObject({ name: z.string(), ledgers: z.array(LedgerRange) })),
})

/**
 * Gives a ledger to another place in the file of the directory. Replaces the file by a complete new
 * one. Does nothing if the place has the ledger already.
 */
export async function writeMovedLedger(
  file: string,
  { ledger, to }: { ledger: number; to: string },
): Promise<void> {
  const directory = Changed.parse(JSON.parse(await readFile(file, 'utf8')))
  const places = directory.places.map((place) => {
    const others = place.ledgers.flat().filter((number) => number !== ledger)
    const ledgers = place.name === to ? [...others, ledger] : others
    return { ...place, ledgers: formatRanges(ledgers) }
  })
  await replaceFile(file, `${JSON.stringify({ ...directory, places }, null, 2)}\n`)
}

/** Returns the ledgers as numbers and as ranges such as "1-16". */
export function formatRanges(ledgers: readonly number[]): readonly (number | string)[] {
  const ranges: { first: number; last: number }[] = []
  for (const ledger of ledgers.toSorted((one, other) => one - other)) {
    const range = ranges.at(-1)
    if (range !== undefined && ledger === range.last + 1) range.last = ledger
    else ranges.push({ first: ledger, last: ledger })
  }
  return ranges.map(({ first, last }) => (first === last ? first : `${first}-${last}`))
}
