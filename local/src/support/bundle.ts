import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Entry } from './contents.ts'
import { createRedactor, type Redact } from './redact.ts'

const run = promisify(execFile)

const README = `This archive describes one Cairn platform for people who help to find a problem.

about.json          versions, machine, memory and free disk space
configuration.json  the variables of npm start, without secrets
platform.json       the processes of the platform
database.json       heads of the ledgers, sizes of tables, changed settings of PostgreSQL
last-backup.json    the result of the last backup, and last-drill.json of the last drill
metrics/            the metrics of each process
logs/               the end of each log file

It contains no rows about people. Passwords, tokens and keys of this platform are replaced by
[secret], email addresses by [email], and IP addresses of other machines by [address]. Read the
files before you send them to someone: a log can contain a name that no rule recognizes.
`

/**
 * Writes the entries into a compressed archive that only its owner can read. Every text is redacted.
 * Returns the files whose content could not be read; the archive has the error in their place.
 */
export async function writeBundle(
  target: string,
  { entries, redact }: { entries: readonly Entry[]; redact: Redact },
): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-support-'))
  const name = basename(target, '.tar.gz')
  const root = join(folder, name)
  const failed: string[] = []
  try {
    await mkdir(root, { mode: 0o700 })
    await writeFile(join(root, 'README.txt'), README)
    for (const { file, read } of entries) {
      const text = await read().catch((error: unknown) => {
        failed.push(file)
        return `could not be read: ${error instanceof Error ? error.message : String(error)}\n`
      })
      await mkdir(dirname(join(root, file)), { recursive: true })
      await writeFile(join(root, file), redact(text))
    }
    await writeFile(target, '', { flag: 'wx', mode: 0o600 })
    await run('tar', ['-czf', target, '-C', folder, name])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return failed
}

/** Creates a redactor that knows the content of each file in `DATA_DIR/secrets`. */
export async function createPlatformRedactor(dataDir: string): Promise<Redact> {
  const folder = join(dataDir, 'secrets')
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const secrets: string[] = []
  for (const name of names) {
    const path = join(folder, name)
    if (!(await stat(path)).isFile()) continue
    const lines = (await readFile(path, 'utf8')).split('\n')
    secrets.push(...lines.map((line) => line.trim()))
  }
  return createRedactor(secrets)
}
