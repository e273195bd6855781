import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { formatStamp } from './backup/backup-folder.ts'
import { runCommand } from './backup/command.ts'
import { readEnvironment } from './environment.ts'
import { findAddresses, findPlatform } from './running.ts'
import { createPlatformRedactor, writeBundle } from './support/bundle.ts'
import { listEntries } from './support/contents.ts'
import { listDatabaseEntries } from './support/database.ts'

// `npm run support-bundle [-- --into FILE]` collects versions, configuration, metrics and logs of
// the platform into one archive, without secrets. It also works if the platform does not run.

await runCommand(async (print) => {
  const { values } = parseArgs({ options: { into: { type: 'string' } } })
  const environment = readEnvironment(process.env)
  const { dataDir } = environment
  const target = resolve(
    process.env.INIT_CWD ?? '.',
    values.into ?? `cairn-support-${formatStamp(new Date())}.tar.gz`,
  )
  if (!target.endsWith('.tar.gz')) throw new Error('--into must name a file that ends with .tar.gz')
  const addresses = findPlatform(dataDir) === null ? null : await findAddresses(dataDir)
  if (addresses === null) print(`no platform runs on ${dataDir}: without metrics and database`)
  const failed = await writeBundle(target, {
    entries: [
      ...(await listEntries(environment)),
      ...listDatabaseEntries(addresses?.auditor ?? null),
    ],
    redact: await createPlatformRedactor(dataDir),
  })
  for (const file of failed) print(`${file} could not be read; it contains the error`)
  print(`${target} is written, without secrets; read its README.txt before you send it`)
})
