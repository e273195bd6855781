import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** The test server that `test-server.ts` has started for this run. */
export interface TestServer {
  readonly url: string
  readonly template: string
  readonly password: string
}

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer
  }
}

export interface TestDatabase {
  /**
   * The superuser's URL. Tests use this URL to inspect and sabotage the database, but not for the
   * code under test.
   */
  readonly url: string
  urlFor(role: string): string
  drop(): Promise<void>
}

/**
 * Creates a database that is migrated but has no data. With `empty`, applies no migration. With
 * `copyOf`, copies that database, which must have no connections.
 */
export async function createTestDatabase(
  options: { empty?: boolean; copyOf?: TestDatabase } = {},
): Promise<TestDatabase> {
  const server = inject('testServer')
  const name = `test_${randomBytes(8).toString('hex')}`
  const source = options.copyOf === undefined ? null : new URL(options.copyOf.url).pathname.slice(1)
  const template = source ?? (options.empty === true ? 'template0' : server.template)
  await runOnServer(server, `create database ${name} template ${template}`)

  const url = new URL(server.url)
  url.pathname = `/${name}`
  return {
    url: url.href,
    urlFor: (role) => {
      const own = new URL(url)
      own.username = role
      own.password = server.password
      return own.href
    },
    drop: () => runOnServer(server, `drop database if exists ${name} with (force)`),
  }
}

async function runOnServer(server: TestServer, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
