import { readFile } from 'node:fs/promises'
import { pino } from 'pino'
import { readServeConfig } from '../service/config.ts'
import { importBalances } from '../service/import-balances.ts'
import { readOpeningFile } from '../service/opening-file.ts'
import { formatAmountOf } from './amounts.ts'
import { type Asked, UsageError } from './commands.ts'

/** The maximum number of problems that the command prints. */
const PROBLEMS_MAX = 200

/**
 * Imports a file of opening balances. If the file has problems, returns false and records nothing.
 */
export async function importOpeningBalances(asked: Asked): Promise<boolean> {
  const { argument, ledger, isDryRun, output } = asked
  if (argument === null) throw new UsageError('import-balances requires a CSV file')
  const file = readOpeningFile(await readFile(argument))
  const log = pino({ name: 'ledger', level: 'warn' }, pino.destination(2))
  const config = readServeConfig(process.env)
  const found = await importBalances(config, { ledger, file, isDryRun, log })
  const { problems, recorded, repeated, openMinor, currency } = found
  const isValid = problems.length === 0
  output.printResult({ sha256: file.sha256, isDryRun, ...found }, [
    `SHA-256 of the file: ${file.sha256}`,
    ...problems.slice(0, PROBLEMS_MAX),
    ...(problems.length > PROBLEMS_MAX
      ? [`and ${problems.length - PROBLEMS_MAX} more problems`]
      : []),
    isValid
      ? isDryRun
        ? `the ${file.lines.length} lines are valid; nothing was recorded`
        : `${recorded} lines recorded, ${repeated} were recorded before`
      : 'nothing was recorded',
    ...[...openMinor].map(
      ([account, minor]) =>
        `the account ${account} is not zero: ${formatAmountOf(account, { minor, currency })}`,
    ),
  ])
  return isValid
}
