import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..', '..')
const PASSWORD = 'the-password-of-the-role'
const REMOTE = `postgres://someone:${PASSWORD}@db.example/cairn?sslmode=require`
const token = 't'.repeat(40)
const ledger = { SERVICE_TOKEN: token, LEDGER_CHECKPOINT_DIR: '/nowhere', LEDGER_PORT: '1' }
const worker = { SERVICE_TOKEN: token, LEDGER_URL: 'http://127.0.0.1:1', WORKER_PORT: '1' }
const gateway = {
  ...worker,
  OUTBOX_KEY: token,
  SESSION_SECRET: token,
  PUBLIC_URL: 'http://localhost',
  SMTP_URL: 'smtp://127.0.0.1:1',
}

/**
 * Every program that connects to the database, the variable with its database URL, and the other
 * variables that it needs.
 */
const PROGRAMS: readonly (readonly [
  args: string,
  variable: string,
  env: Readonly<Record<string, string>>,
])[] = [
  ['ledger-service/src/serve.ts', 'LEDGER_DATABASE_URL', ledger],
  ['ledger-service/src/work.ts', 'LEDGER_WORKER_DATABASE_URL', worker],
  ['ledger-service/src/cli.ts verify', 'LEDGER_DATABASE_URL', {}],
  ['api-gateway/src/serve.ts', 'GATEWAY_DATABASE_URL', gateway],
  ['api-gateway/src/work.ts', 'GATEWAY_WORKER_DATABASE_URL', gateway],
  ['api-gateway/src/admin.ts clear-allow-list', 'GATEWAY_DATABASE_URL', gateway],
  ['migrations/src/main.ts', 'DATABASE_URL', {}],
  ['local/src/admin.ts clear-allow-list', 'GATEWAY_DATABASE_URL', {}],
  ['local/src/ledger.ts verify', 'LEDGER_DATABASE_URL', {}],
  ['local/src/start.ts', 'DATABASE_URL', { DATA_DIR: '/nowhere' }],
]

async function start(args: string, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, args.split(' '), {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, LOG_LEVEL: 'fatal', ...env },
  })
  const [output, complaints, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { code, output: output + complaints }
}

test.each(PROGRAMS)(
  '%s refuses a database elsewhere without verify-full',
  async (args, name, env) => {
    const { code, output } = await start(args, { ...env, [name]: REMOTE })
    expect(output).toContain(
      `${name} names a database on db.example, which is not this machine: add sslmode=verify-full`,
    )
    expect(output).not.toContain(PASSWORD)
    expect(code).toBeGreaterThan(0)
  },
)
