import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { TestLedger } from './test-ledger.ts'

/** Runs `npm run ledger` in a separate process with the read-only role. */
export function runCli(
  { database, signing }: Pick<TestLedger, 'database' | 'signing'>,
  ...args: readonly string[]
): Promise<{ code: number | null; out: string; complaint: string }> {
  const program = join(import.meta.dirname, '../../src/cli.ts')
  const child = spawn(process.execPath, [program, ...args], {
    env: {
      PATH: process.env.PATH,
      LEDGER_DATABASE_URL: database.urlFor('cairn_auditor'),
      LEDGER_CHECKPOINT_DIR: signing.checkpointDir,
    },
  })
  let out = ''
  let complaint = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString()
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, complaint })))
}
