import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { formatSeconds, runCommand } from './backup/command.ts'
import { readEnvironment } from './environment.ts'
import type { Manifest } from './move/archive.ts'
import { examineInstallation, importInstallation } from './move/import-installation.ts'
import { readPassphrase } from './move/passphrase.ts'

const USAGE = `usage: npm run import -- FILE [--into DIR] [--check]

  --into DIR  the data directory to create, DATA_DIR if not given; it must be empty or missing
  --check     only check the archive, and create nothing`

await runCommand(async (print) => {
  const { file, into, isChecking } = parseArguments(process.argv.slice(2))
  const environment = readEnvironment({
    ...process.env,
    ...(into === null ? {} : { DATA_DIR: toPath(into) }),
  })
  const { dataDir } = environment
  const archive = { file: toPath(file), passphrase: readPassphrase(process.env) }
  if (isChecking) {
    const { manifest } = await examineInstallation(archive)
    for (const line of describe(manifest)) print(line)
    print(`${file} is complete, and this version can import it`)
    return
  }
  const began = new Date()
  const manifest = await importInstallation({ ...archive, environment, print })
  for (const line of describe(manifest)) print(line)
  print(`imported into ${dataDir} in ${formatSeconds(began)}; delete the archive`)
  print(`${dataDir}/settings.env has the settings of the old machine: read it, then start with`)
  const database = environment.databaseUrl === null ? '' : `DATABASE_URL='THE SAME' `
  print(`. ${dataDir}/settings.env; ${database}DATA_DIR=${dataDir} npm start`)
  print('With an empty BACKUP_DIR, run npm run backup afterwards.')
})

function describe({ exportedAt, cairn, ledgers }: Manifest): readonly string[] {
  return [
    `exported at ${exportedAt} by Cairn ${cairn}`,
    ...ledgers.map(({ ledger, size, root }) => `ledger ${ledger}: ${size} events, root ${root}`),
  ]
}

function toPath(name: string): string {
  return resolve(process.env.INIT_CWD ?? process.cwd(), name)
}

function parseArguments(args: readonly string[]) {
  const options = {
    into: { type: 'string' },
    check: { type: 'boolean', default: false },
  } as const
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const [file, ...others] = positionals
    if (file === undefined || others.length > 0) throw new Error('name one archive')
    return { file, into: values.into ?? null, isChecking: values.check }
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`)
  }
}
