import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import type { TestPlatform } from './platform.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')

/**
 * Runs SQL as the superuser, as an attacker on the database server could. Returns the rows of a
 * single statement.
 */
export async function runSqlAsSuperuser(
  platform: TestPlatform,
  sql: string,
): Promise<readonly Record<string, unknown>[]> {
  const password = await readFile(join(platform.dataDir, 'secrets', 'postgres'), 'utf8')
  const client = new pg.Client({
    connectionString: `postgres://postgres:${password.trim()}@127.0.0.1:${platform.databasePort}/cairn`,
  })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Runs the command `npm run ledger` for the test platform in a separate process. */
export async function runLedger(
  platform: TestPlatform,
  args: readonly string[],
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(ROOT, 'local/src/ledger.ts'), ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: platform.dataDir },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  return new Promise((done) => child.once('close', (code) => done({ code, output })))
}
