import { spawn } from 'node:child_process'
import type { Id } from '@cairn/ledger-contracts'
import { ROOT } from '../environment.ts'
import type { StoryReceipt } from './timeline.ts'

export interface NewUser {
  readonly email: string
  readonly password: string
  readonly name: string
  readonly country: string
  readonly phone: string
  readonly firstAddress: string
  readonly gender: 'Male' | 'Female'
  /** The email of the referrer. The list must contain the referrer before this user. */
  readonly referrer: string | null
  readonly createdAt: string
  readonly bank: {
    readonly bankName: string
    readonly accountNumber: string
    readonly accountName: string
    readonly accountType: string
  } | null
  /** A picture of a payment, in base64. */
  readonly paymentProof: string | null
}

interface ImportedUser {
  readonly id: Id
  readonly paymentProof: StoryReceipt | null
}

/**
 * Imports active users with a confirmed email, a bank account and a picture of a payment, using the
 * gateway's import command. Existing users are not changed.
 */
export async function importUsers(
  gatewayDatabaseUrl: string,
  users: readonly NewUser[],
): Promise<ReadonlyMap<string, ImportedUser>> {
  return await runImport(gatewayDatabaseUrl, users)
}

export async function createAdmin(
  gatewayDatabaseUrl: string,
  { email, password, name }: { email: string; password: string; name: string },
): Promise<ReadonlyMap<string, ImportedUser>> {
  return await runImport(gatewayDatabaseUrl, [{ email, password, name, role: 'admin' }])
}

async function runImport(
  databaseUrl: string,
  users: readonly object[],
): Promise<ReadonlyMap<string, ImportedUser>> {
  const input = users.map((user) => JSON.stringify(user)).join('\n')
  const child = spawn(process.execPath, ['api-gateway/src/admin.ts', 'import-users'], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      GATEWAY_DATABASE_URL: databaseUrl,
      // The environment variable is required, although the import creates no links.
      PUBLIC_URL: 'http://127.0.0.1',
      DEMO: '1',
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  let complaint = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString()
  })
  child.stdin.end(input)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`the demo users could not be created: ${complaint.trim()}`)
  const made: ({ email: string } & ImportedUser)[] = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return new Map(made.map((user) => [user.email, user]))
}
