import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { readServeConfig } from '../service/config.ts'
import { findPlace } from '../service/directory/place.ts'
import { writeMovedLedger } from '../service/directory/write-directory.ts'
import { keepLedger, type MoveStep, moveLedger } from '../service/move/move-ledger.ts'
import { type Asked, UsageError } from './commands.ts'

/**
 * Moves a ledger to another place of the directory, while the ledger services run. With the name of
 * its present place, ends an interrupted move there.
 */
export async function moveToPlace({ ledger, to, output }: Asked): Promise<boolean> {
  if (to === null) throw new UsageError('move requires --ledger and --to with the name of a place')
  const file = process.env.LEDGER_DIRECTORY
  if (file === undefined) throw new UsageError('move requires LEDGER_DIRECTORY')
  const { places, durability, crashFile } = readServeConfig(process.env)
  const source = findPlace(places, ledger)
  const target = places.find(({ name }) => name === to)
  if (target === undefined) throw new UsageError(`LEDGER_DIRECTORY has no place ${to}`)
  if (target.name === source.name) {
    const isOpened = await keepLedger({ ledger, source })
    output.printResult({ ledger, place: to, isOpened }, [
      isOpened
        ? `ledger ${ledger} stays in ${to}; the interrupted move was undone`
        : `ledger ${ledger} is in ${to}`,
    ])
    return true
  }
  const { size, sealedMs } = await moveLedger({
    ledger,
    source,
    target,
    durability,
    switchDirectory: () => writeMovedLedger(file, { ledger, to }),
    onStep: crashFile === null ? () => {} : (step) => crashAt(step, crashFile),
  })
  output.printResult({ ledger, place: to, size, sealedMs }, [
    `ledger ${ledger} is in ${to} with ${size} events; it was sealed for ${Math.round(sealedMs)} ms`,
    'copy LEDGER_DIRECTORY to the other machines of the ledger services, if they have their own file',
  ])
  return true
}

/** Kills this process at the step named in the file. Used by tests only. */
async function crashAt(step: MoveStep, file: string): Promise<void> {
  if (readFileSync(file, 'utf8') !== step) return
  process.kill(process.pid, 'SIGKILL')
  await delay(60_000)
}
