import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { copyRows } from '../service/database/copy-rows.ts'
import { connectClient } from '../service/database/pool.ts'
import { type CheckedEvent, checkRow, EVENT_COLUMNS, toPage } from './event-page.ts'
import type { EventPart } from './event-reader.ts'
import { joinSnapshot } from './snapshot.ts'

const PAGE_EVENTS = 500
const PAGES_AHEAD_MAX = 4

// This code runs in a worker that event-reader.ts starts. event-reader.ts acknowledges each page.
const { url, snapshot, ledger, from, size } = workerData as EventPart
let pagesAhead = 0
parentPort?.on('message', () => {
  pagesAhead -= 1
})

const client = await connectClient({ url, name: 'ledger-verify-events', pipeline: false })
await joinSnapshot(client, snapshot)
// Makes the planner use the index, because a sort would write the whole log to temporary files
// before the first row.
await client.query('set local enable_sort = off')
const rows = copyRows(
  client,
  `select ${EVENT_COLUMNS} from ledger.event
   where ledger_id = ${Number(ledger)} and seq >= ${BigInt(from)} and seq < ${BigInt(size)}
   order by seq`,
  checkRow,
)
let page: CheckedEvent[] = []
for await (const some of rows) {
  page.push(...some)
  if (page.length >= PAGE_EVENTS) await send(false)
}
await send(true)
await client.end()
parentPort?.close()

async function send(isLast: boolean): Promise<void> {
  parentPort?.postMessage(toPage(page, isLast))
  page = []
  pagesAhead += 1
  while (parentPort !== null && pagesAhead >= PAGES_AHEAD_MAX) await once(parentPort, 'message')
}
