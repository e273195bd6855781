import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Id } from '@cairn/ledger-contracts'
import { ROOT } from '../environment.ts'

export interface NewUser {
  readonly email: string
  readonly password: string
  readonly name: string
  readonly role: 'user' | 'admin'
  readonly country: string
  readonly phone: string
  readonly firstAddress: string
  readonly gender: 'Male' | 'Female' | null
  /** By e-mail; must come earlier in the list. */
  readonly referrer: string | null
  readonly createdAt: string
}

/** Active users with a confirmed address, made by the gateway's own tool; known ones stay. */
export async function importUsers(
  gatewayDatabaseUrl: string,
  users: readonly NewUser[],
): Promise<ReadonlyMap<string, Id>> {
  const child = spawn(process.execPath, ['api-gateway/src/admin.ts', 'import-users'], {
    cwd: join(ROOT),
    env: { PATH: process.env.PATH, GATEWAY_DATABASE_URL: gatewayDatabaseUrl, DEMO: '1' },
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
  child.stdin.end(JSON.stringify(users))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`the demo users could not be made: ${complaint.trim()}`)
  const made: { email: string; id: Id }[] = JSON.parse(output)
  return new Map(made.map(({ email, id }) => [email, id]))
}
