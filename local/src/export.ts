import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { formatSeconds, runCommand } from './backup/command.ts'
import { readEnvironment } from './environment.ts'
import { exportInstallation, undoExport } from './move/export-installation.ts'
import { readPassphrase } from './move/passphrase.ts'
import { formatSettings } from './move/settings.ts'

const USAGE = `usage: npm run export -- FILE     write everything that this stopped installation has into one archive
       npm run export -- --undo   let an exported installation run here again`

await runCommand(async (print) => {
  const environment = readEnvironment(process.env)
  const { file, isUndoing } = parseArguments(process.argv.slice(2))
  if (isUndoing) {
    await undoExport(environment, print)
    print(`${environment.dataDir} can run again. Never start it where its archive was imported`)
    return
  }
  if (file === null) throw new Error(USAGE)
  const began = new Date()
  const manifest = await exportInstallation({
    environment,
    file: resolve(process.env.INIT_CWD ?? process.cwd(), file),
    passphrase: readPassphrase(process.env),
    settings: formatSettings(process.env),
    print,
  })
  for (const { ledger, size, root } of manifest.ledgers) {
    print(`ledger ${ledger}: ${size} events, root ${root}`)
  }
  print(`${file}: ${manifest.parts.length} parts, written and checked in ${formatSeconds(began)}`)
  print('This installation must not run here any more: import the archive on the other machine.')
})

function parseArguments(args: readonly string[]): { file: string | null; isUndoing: boolean } {
  try {
    const options = { undo: { type: 'boolean', default: false } } as const
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const [file = null, ...others] = positionals
    if (others.length > 0 || (values.undo && file !== null)) throw new Error('too many arguments')
    return { file, isUndoing: values.undo }
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`)
  }
}
