import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { createApiClient } from './api-client.ts'
import type { TestPlatform } from './platform.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')

export const SECOND = { email: 'second@cairn.example', password: 'a second pair of eyes' } as const

/** Adds an administrator with the command `create` and opens the set-up link that it prints. */
export async function addSecondAdmin(platform: TestPlatform): Promise<void> {
  const output = await runAdminCommand(platform, [
    'create',
    '--email',
    SECOND.email,
    '--name',
    'Sam Second',
  ])
  const token = /resetPassword#token=([\w-]+)/.exec(output)?.[1]
  if (token === undefined) throw new Error(`no link in ${output}`)
  const api = createApiClient(platform.url)
  await api.get('public/settings')
  const { password } = SECOND
  const body = { token, password, passwordConfirm: password }
  const answer = await api.send('POST', 'users/reset_password', body)
  if (answer.status >= 300) throw new Error(`set-up: ${JSON.stringify(answer.body)}`)
  // A second administrator makes dual control required, but most tests use mode `single`.
  await runAdminCommand(platform, ['dual-control', '--mode', 'single'])
}

/** Runs an `npm run admin` command and returns its output. */
export function runAdminCommand(platform: TestPlatform, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [join(ROOT, 'local/src/admin.ts'), ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: platform.dataDir },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  return new Promise((done, fail) =>
    child.once('close', (code) => (code === 0 ? done(output) : fail(new Error(output)))),
  )
}
