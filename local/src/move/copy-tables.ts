import { once } from 'node:events'
import pg from 'pg'

const BLOCK_BYTES = 256 * 1024
const WAITING_BYTES_MAX = 4 * 1024 ** 2
/**
 * The tables of pg-boss that hold work. Its other tables hold statistics and its own maintenance,
 * which begin again.
 */
const JOB_TABLES = ['queue', 'schedule', 'subscription', 'job_common', 'job_dependency']
export const JOB_SCHEMAS = ['ledger_jobs', 'platform_jobs'] as const
const OWN_SCHEMAS = ['ledger', 'platform', 'identity', 'person_keys']

export interface Table {
  readonly schema: string
  readonly name: string
  readonly columns: readonly string[]
}

/**
 * Lists the tables with the rows of an installation. A table follows the tables to which it refers,
 * so that the tables can be filled in this order.
 */
export async function listTables(client: pg.Client): Promise<readonly Table[]> {
  const { rows } = await client.query<Table & { oid: string; refersTo: string[] }>(
    `select c.oid::text, n.nspname as schema, c.relname as name,
       (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
       array(select distinct confrelid::text from pg_constraint
        where contype = 'f' and conrelid = c.oid and confrelid <> c.oid) as "refersTo"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and (n.nspname = any ($1) or n.nspname = any ($2) and c.relname = any ($3))
     order by n.nspname, c.relname`,
    [OWN_SCHEMAS, JOB_SCHEMAS, JOB_TABLES],
  )
  const sorted: string[] = []
  const add = (oid: string, path: readonly string[]) => {
    if (sorted.includes(oid)) return
    const row = rows.find((one) => one.oid === oid)
    if (row === undefined) throw new Error(`a table refers to table ${oid}, which is not exported`)
    if (path.includes(oid))
      throw new Error(`${row.schema}.${row.name} refers to itself in a circle`)
    for (const other of row.refersTo) add(other, [...path, oid])
    sorted.push(oid)
  }
  for (const { oid } of rows) add(oid, [])
  const byOid = new Map(
    rows.map(({ oid, schema, name, columns }) => [oid, { schema, name, columns }]),
  )
  return sorted.flatMap((oid) => byOid.get(oid) ?? [])
}

/**
 * Reads all rows of a table in PostgreSQL's text format, which each version and each kind of machine
 * can read. Pauses the server while the reader is busy.
 */
export async function* copyOut(client: pg.Client, table: Table): AsyncGenerator<Buffer> {
  const copying = startCopyOut(client, `copy ${formatTable(table)} to stdout`)
  for (;;) {
    const block = copying.takeBlock()
    if (block !== null) yield block
    else if (copying.isOver()) return
    else await copying.waitForRows()
  }
}

function startCopyOut(client: pg.Client, statement: string) {
  let rows: Buffer[] = []
  let bytes = 0
  let isOver = false
  let failure: unknown = null
  let wake: () => void = () => {}
  let socket: pg.Connection['stream'] | null = null
  const end = (error: unknown) => {
    isOver = true
    failure ??= error
    wake()
  }
  client.query({
    submit: (connection: pg.Connection) => {
      socket = connection.stream
      connection.query(statement)
    },
    handleCopyData: ({ chunk }: { chunk: Buffer }) => {
      // The chunk is a view of a buffer that is used again for the next rows.
      rows.push(Buffer.from(chunk))
      bytes += chunk.length
      if (bytes > WAITING_BYTES_MAX) socket?.pause()
      if (bytes > BLOCK_BYTES) wake()
    },
    handleError: end,
    handleCommandComplete: () => {},
    handleReadyForQuery: () => end(null),
  })
  return {
    isOver: () => isOver,
    takeBlock: (): Buffer | null => {
      if (failure !== null) throw failure
      if (bytes === 0 || (bytes <= BLOCK_BYTES && !isOver)) return null
      const block = Buffer.concat(rows)
      rows = []
      bytes = 0
      socket?.resume()
      return block
    },
    waitForRows: () =>
      new Promise<void>((go) => {
        wake = go
      }),
  }
}

/** The connection of a COPY. The types of `pg` do not contain these calls. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(block: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

export interface CopyIn {
  write(block: Buffer): Promise<void>
  /** Ends the COPY. Throws if the server refused a row. */
  end(): Promise<void>
}

/** Fills a table with rows that `copyOut` has read. */
export async function copyIn(client: pg.Client, table: Table): Promise<CopyIn> {
  const opened = Promise.withResolvers<CopyConnection>()
  const ended = Promise.withResolvers<void>()
  ended.promise.catch(() => {})
  let failure: unknown = null
  client.query({
    submit: (connection: pg.Connection) =>
      connection.query(`copy ${formatTable(table)} from stdin`),
    handleCopyInResponse: (connection: CopyConnection) => opened.resolve(connection),
    handleError: (error: unknown) => {
      failure ??= error
      opened.reject(error)
      ended.reject(error)
    },
    handleCommandComplete: () => {},
    handleReadyForQuery: () => ended.resolve(),
  })
  const connection = await opened.promise
  return {
    write: async (block) => {
      if (failure !== null) throw failure
      connection.sendCopyFromChunk(block)
      const { stream } = connection
      if (stream.writableLength > WAITING_BYTES_MAX) {
        await Promise.race([once(stream, 'drain'), ended.promise])
      }
    },
    end: () => {
      connection.endCopyFrom()
      return ended.promise
    },
  }
}

export function formatName({ schema, name }: Table): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`
}

function formatTable(table: Table): string {
  return `${formatName(table)} (${table.columns.map(pg.escapeIdentifier).join(', ')})`
}
