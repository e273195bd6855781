import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ROOT } from './environment.ts'

const run = promisify(execFile)

/**
 * Returns the link that creates the first administrator, or null if there already is an
 * administrator.
 */
export async function findFirstAdminLink(site: {
  gatewayDatabaseUrl: string
  publicUrl: string
}): Promise<string | null> {
  const { stdout } = await run(process.execPath, ['api-gateway/src/admin.ts', 'first-link'], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      GATEWAY_DATABASE_URL: site.gatewayDatabaseUrl,
      PUBLIC_URL: site.publicUrl,
    },
  })
  return stdout.trim() || null
}
