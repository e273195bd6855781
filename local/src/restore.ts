import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parseTime, requireBackupDir, runCommand } from './backup/command.ts'
import { restorePlatform } from './backup/restore-platform.ts'
import { readEnvironment } from './environment.ts'

const USAGE = `usage: npm run restore -- [--into DIR] [--to TIME] [--backup NAME] [--set-aside]

  --into DIR     the data directory to restore, DATA_DIR if not given; it must be empty or missing
  --to TIME      the state at this time, such as 2026-11-25T10:00:00Z; the newest state if not given
  --backup NAME  begin with this backup instead of the newest suitable backup
  --set-aside    rename a data directory that is not empty; nothing is deleted`

await runCommand(async (print) => {
  const environment = readEnvironment(process.env)
  const { into, to, backup, isSettingAside } = parseArguments(process.argv.slice(2))
  await restorePlatform({
    environment,
    backupDir: requireBackupDir(environment),
    into:
      into === null ? environment.dataDir : resolve(process.env.INIT_CWD ?? process.cwd(), into),
    until: parseTime(to),
    named: backup,
    isSettingAside,
    print,
  })
})

function parseArguments(args: readonly string[]) {
  const text = { type: 'string' } as const
  const options = { into: text, to: text, backup: text, 'set-aside': { type: 'boolean' } } as const
  try {
    const { values } = parseArgs({ args: [...args], options })
    const { into = null, to, backup = null, 'set-aside': isSettingAside = false } = values
    return { into, to, backup, isSettingAside }
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`)
  }
}
