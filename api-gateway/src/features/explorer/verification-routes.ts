import { Readable } from 'node:stream'
import {
  exportLog,
  exportVerifications,
  findDecidingRun,
  getLastVerification,
  listVerifications,
  type ResponseOf,
  startVerification,
  type Verification,
} from '@cairn/gateway-contracts'
import type { LedgerClient, QueryResponse } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { type Columns, createListRoutes, toSinglePage } from '../../platform/http/list-export.ts'
import {
  createFileRoute,
  declareRoute,
  getCaller,
  type Route,
} from '../../platform/http/registry.ts'
import {
  getRequestedLedger,
  listLedgerClients,
} from '../../platform/ledger-client/requested-ledger.ts'
import { findPersons, getActorId, toPersonField } from '../users/index.ts'

const LINES_PER_READ = 1_000

type Run = QueryResponse<'verifications'>['runs'][number]

const COLUMNS: Columns<Verification> = {
  Started: ({ startedAt }) => startedAt,
  Finished: ({ finishedAt }) => finishedAt,
  By: ({ person, requestedBy }) => person?.name ?? requestedBy,
  Result: ({ state }) => state,
  'Trusted up to': ({ since }) => since,
  'Events read': ({ done }) => done,
  'Total events': ({ of }) => of,
  Postings: ({ postings }) => postings,
  Checkpoints: ({ checkpoints }) => checkpoints,
  'First inconsistent event': ({ firstBadSeq }) => firstBadSeq,
  Problems: ({ problems }) => problems.join('; '),
}

export function createVerificationRoutes(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'ledgers'>,
): readonly Route[] {
  return [
    ...createListRoutes({
      list: listVerifications,
      read: async ({ query }) => {
        const ledger = await getRequestedLedger(deps, query.ledger)
        const { runs, startCheckedAt } = await ledger.ask('verifications', {})
        return { verifications: await toVerifications(deps, runs), startCheckedAt }
      },
      csv: {
        endpoint: exportVerifications,
        fileName: 'verifications.csv',
        audit: 'ledger.export-verifications',
        columns: COLUMNS,
        toRequest: (request) => request,
        toPage: ({ verifications }) => toSinglePage(verifications),
      },
    }),
    declareRoute(getLastVerification, { rate: 'read', owner: 'any', audit: null }, async () => {
      const clients = await listLedgerClients(deps)
      const newest = await Promise.all(
        clients.map(async ({ client }) =>
          findDecidingRun((await client.ask('verifications', {})).runs),
        ),
      )
      return { verification: chooseResult(newest) }
    }),
    declareRoute(
      startVerification,
      { rate: 'write', owner: 'any', audit: 'ledger.verify', needsFreshFactor: false },
      async ({ body }, exchange) => {
        const by = `admin:${getCaller(exchange).userId}`
        const ledger = await getRequestedLedger(deps, body.ledger)
        const { id } = await ledger.ask('startVerification', { by, since: BigInt(body.since) })
        const named = body.ledger === undefined ? {} : { ledger: body.ledger }
        exchange.note({ subject: id, since: body.since, ...named })
        const { runs } = await ledger.ask('verifications', {})
        const [verification] = await toVerifications(
          deps,
          runs.filter((run) => run.id === id),
        )
        if (verification === undefined) throw new Error(`there is no run ${id}`)
        return { verification }
      },
    ),
    createFileRoute(
      exportLog,
      { rate: 'write', owner: 'any', audit: 'ledger.export', isExport: true },
      async ({ query }, exchange) => {
        const ledger = await getRequestedLedger(deps, query.ledger)
        const { header, size } = await ledger.ask('exportPage', {
          next: 0n,
          size: null,
          limit: 1,
        })
        if (header === null)
          throw new HttpFailure(409, 'NOT_SIGNED', 'No checkpoint has been signed yet')
        exchange.note(query.ledger === undefined ? { size } : { size, ledger: query.ledger })
        return {
          mediaType: 'application/x-ndjson',
          bytes: Readable.from(exportLines(ledger, header, size)),
          fileName: `cairn-events${query.ledger === undefined ? '' : `-ledger-${query.ledger}`}-${size}.jsonl`,
          isDownload: true,
        }
      },
    ),
  ]
}

type Result = NonNullable<ReturnType<typeof findDecidingRun<Run>>>

/**
 * Returns the newest result of the ledgers that found a difference. Without a difference, returns
 * the oldest of the results, or null if a ledger has none.
 */
function chooseResult(
  newest: readonly (Result | null)[],
): ResponseOf<typeof getLastVerification>['verification'] {
  const results = newest.filter((result) => result !== null)
  const [oldest] = results.toSorted(
    (one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt),
  )
  const shown =
    results.find(({ state }) => state === 'differs') ??
    (results.length === newest.length ? oldest : undefined)
  return shown === undefined ? null : { startedAt: shown.startedAt, state: shown.state }
}

async function* exportLines(
  ledger: LedgerClient,
  header: string,
  size: bigint,
): AsyncGenerator<string> {
  yield `${header}\n`
  for (let next = 0n; next < size; ) {
    const page = await ledger.ask('exportPage', { next, size, limit: LINES_PER_READ })
    if (page.lines.length === 0) throw new Error(`event ${next} is missing`)
    yield `${page.lines.join('\n')}\n`
    next += BigInt(page.lines.length)
  }
}

async function toVerifications(
  deps: Pick<Dependencies, 'db'>,
  runs: readonly Run[],
): Promise<Verification[]> {
  const ids = runs.map(({ requestedBy }) => getActorId(requestedBy)).filter((id) => id !== '')
  const persons = await findPersons(deps.db, ids)
  return runs.map((run) => ({
    ...run,
    _id: run.id,
    since: String(run.since),
    done: String(run.done),
    of: String(run.of),
    postings: String(run.postings),
    firstBadSeq: run.firstBadSeq === null ? null : String(run.firstBadSeq),
    ...toPersonField('person', persons.get(getActorId(run.requestedBy))),
  }))
}
