import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** Data that `test-server.ts` passes to the tests of one run. */
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
  /** Superuser connection for inspection and sabotage, never for the code under test. */
  readonly url: string
  urlFor(role: string): string
  drop(): Promise<void>
}

/** Creates a migrated, empty database in about 100 ms; `empty` skips the migrations. */
export async function createTestDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const server = inject('testServer')
  const name = `test_${randomBytes(8).toString('hex')}`
  const template = options.empty === true ? 'template0' : server.template
  await onServer(server, `create database ${name} template ${template}`)

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
    drop: () => onServer(server, `drop database if exists ${name} with (force)`),
  }
}

async function onServer(server: TestServer, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
