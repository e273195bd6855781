import { join } from 'node:path'
import { loadDemo } from './demo/load.ts'
import { DEMO_LOGINS } from './demo/logins.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { findFirstAdminLink } from './first-admin.ts'
import { type Platform, type Site, startPlatform } from './platform.ts'

const began = Date.now()
const stopping = new AbortController()

function printLine(line: string): void {
  process.stdout.write(`[cairn] ${line}\n`)
}

function stopOnSignals(): void {
  const stop = () => {
    // Ctrl-C can cause two signals: one from the terminal and one from the bootstrap. The second
    // signal is ignored.
    if (!stopping.signal.aborted) printLine('stopping')
    stopping.abort(new Error('stopped'))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  if (process.env.CAIRN_BOOTSTRAP === undefined) return
  const parent = process.ppid
  // A killed bootstrap cannot forward signals, so this process detects the end of the bootstrap.
  setInterval(() => process.ppid !== parent && stop(), 1_000).unref()
}

async function run(): Promise<void> {
  const environment = readEnvironment(process.env)
  const { signal } = stopping
  const seedDemo = ({ gatewayUrl, ledgerUrl, secrets, database }: Site) =>
    loadDemo({
      gatewayUrl,
      ledgerUrl,
      ledger: environment.ledger,
      ledgerToken: secrets.ledgerToken,
      gatewayDatabaseUrl: database.urlFor('cairn_gateway'),
      markerFile: join(environment.dataDir, 'demo-loaded'),
      log: printLine,
      signal,
    }).catch((error: unknown) => {
      if (signal.aborted) throw error
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(`the demo data is not complete; the next start continues it: ${reason}`)
    })
  const platform = await startPlatform({
    environment,
    log: printLine,
    signal,
    ...(environment.demo ? { seed: seedDemo } : {}),
  })
  const ended = new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  try {
    if (!signal.aborted) printAddresses(platform, environment)
    if (!signal.aborted && !environment.demo) await printFirstAdminLink(platform)
    await Promise.race([ended, platform.failed])
  } finally {
    await platform.stop()
  }
}

async function printFirstAdminLink({ database, url }: Platform): Promise<void> {
  const gatewayDatabaseUrl = database.urlFor('cairn_gateway')
  const link = await findFirstAdminLink({ gatewayDatabaseUrl, publicUrl: url })
  if (link !== null) printLine(`There is no administrator yet. ${link}`)
}

function printAddresses(platform: Platform, environment: Environment): void {
  const seconds = ((Date.now() - began) / 1000).toFixed(1)
  const lines = [
    `ready after ${seconds} s`,
    '',
    `  Site       ${platform.url}`,
    `  Mail page  ${platform.mailPageUrl ?? 'none: mail leaves through SMTP_URL'}`,
    `  Data       ${environment.dataDir}`,
    `  Database   ${platform.database.place}`,
    ...(environment.demo
      ? DEMO_LOGINS.map(({ email, password }) => `  Login      ${email}  ${password}`)
      : []),
    '',
    '  Ctrl-C stops everything; the next start finds the same data.',
  ]
  for (const line of lines) printLine(line)
}

stopOnSignals()
try {
  await run()
  printLine('stopped')
  process.exit(0)
} catch (error) {
  if (stopping.signal.aborted) {
    printLine('stopped')
    process.exit(0)
  }
  process.stderr.write(`[cairn] ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
