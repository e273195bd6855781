import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Postgres, startPostgres } from './postgres.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-postgres-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function start(): Promise<Postgres> {
  const [dataDir, logFile] = [join(folder, 'deep', 'data'), join(folder, 'log')]
  return startPostgres({ dataDir, logFile, password: 'a password' })
}

async function query(server: Postgres, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: server.url() })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

describe('startPostgres', () => {
  it('keeps the data across a restart', async () => {
    const first = await start()
    await query(first, 'create table kept as select 1 as one')
    await first.stop()
    const second = await start()
    const { rows } = await query(second, 'select one from kept')
    await second.stop()
    expect(rows).toEqual([{ one: 1 }])
  })

  it('uses durable commits and page checksums', async () => {
    const server = await start()
    const { rows } = await query(
      server,
      `select name, setting from pg_settings where name in
        ('data_checksums', 'fsync', 'full_page_writes', 'synchronous_commit') order by name`,
    )
    await server.stop()
    expect(rows.map(({ setting }) => setting)).toEqual(['on', 'on', 'on', 'on'])
  })

  it('names the process that uses the files', async () => {
    const server = await start()
    await expect(start()).rejects.toThrow(`is in use by process ${server.pid}`)
    await server.stop()
  })

  it('recovers after its server was killed', async () => {
    const killed = await start()
    await query(killed, 'create table kept as select 1 as one')
    process.kill(killed.pid, 'SIGKILL')
    await killed.ended
    const server = await start()
    const { rows } = await query(server, 'select one from kept')
    await server.stop()
    expect(rows).toEqual([{ one: 1 }])
  })

  it('starts although another process now has the process id of a stale pid file', async () => {
    const first = await start()
    await first.stop()
    await writeFile(join(first.dataDir, 'postmaster.pid'), `${process.pid}\n`)
    const second = await start()
    await second.stop()
  })
})
