import { pino } from 'pino'
import { activateModels } from '../service/activate-model.ts'
import { readServeConfig } from '../service/config.ts'
import type { Asked } from './commands.ts'

/**
 * Activates the newest version of the rules. Before the call, every instance that does not know
 * this version must be stopped.
 */
export async function activateNewestModel({ output }: Asked): Promise<boolean> {
  const log = pino({ name: 'ledger', level: 'warn' }, pino.destination(2))
  const activated = await activateModels(readServeConfig(process.env), { log })
  output.printResult(
    activated,
    activated.length === 0
      ? ['the newest version of the rules that this program knows is in force already']
      : activated.map(
          ({ ledger, version, seq }) =>
            `ledger ${ledger}: version ${version} of the rules decides after event ${seq}`,
        ),
  )
  return true
}
