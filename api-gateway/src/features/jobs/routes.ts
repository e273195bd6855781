import {
  exportJobs,
  getJobs,
  getServers,
  retryJobs,
  type WorkerState,
} from '@cairn/gateway-contracts'
import { readDiskSpace } from '@cairn/service-kit/disk-space'
import { RELEASE } from '@cairn/service-kit/release'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createNotFoundFailure } from '../../platform/http/failure.ts'
import { type Columns, createListRoutes, toSinglePage } from '../../platform/http/list-export.ts'
import { declareRoute, type Route } from '../../platform/http/registry.ts'
import { readBackupRuns } from './backup-runs.ts'

type Row = WorkerState['queues'][number] & { worker: string }

const COLUMNS: Columns<Row> = {
  Worker: ({ worker }) => worker,
  Queue: ({ name }) => name,
  Waiting: ({ waiting }) => waiting,
  Running: ({ active }) => active,
  Failed: ({ failed }) => failed,
  'Failed in all retries': ({ dead }) => dead,
  'Oldest waiting (seconds)': ({ oldestWaitingSeconds }) => oldestWaitingSeconds,
  'Last success': ({ lastSuccessAt }) => lastSuccessAt,
  'Last failure': ({ lastFailureAt }) => lastFailureAt,
}

function toRows(workers: readonly WorkerState[]): Row[] {
  return workers.flatMap(({ worker, queues }) => queues.map((queue) => ({ ...queue, worker })))
}

/** Creates the routes that show the state of background jobs and backups to administrators. */
export function createJobRoutes({ workers, backupDir, ledger }: Dependencies): readonly Route[] {
  return [
    ...createListRoutes({
      list: getJobs,
      read: async () => {
        const [reports, runs] = await Promise.all([
          Promise.all(workers.map((worker) => worker.report())),
          readBackupRuns(backupDir),
        ])
        return {
          ...runs,
          workers: reports.map((report, place) =>
            report === null
              ? {
                  worker: `worker ${place + 1}`,
                  isReachable: false,
                  queues: [],
                  lags: [],
                  release: null,
                }
              : { ...report, release: report.release ?? null, isReachable: true },
          ),
        }
      },
      csv: {
        endpoint: exportJobs,
        fileName: 'jobs.csv',
        audit: 'jobs.export',
        columns: COLUMNS,
        toRequest: (request) => request,
        toPage: (answer) => toSinglePage(toRows(answer.workers)),
      },
    }),
    declareRoute(getServers, { rate: 'read', owner: 'any', audit: null }, async () => {
      const [ledgerServer, backupDisk] = await Promise.all([
        ledger.ask('serverState', {}),
        backupDir === null ? null : readDiskSpace(backupDir),
      ])
      return { gateway: { release: RELEASE, backupDisk }, ledger: ledgerServer }
    }),
    declareRoute(
      retryJobs,
      { rate: 'write', owner: 'any', audit: 'jobs.retry', needsFreshFactor: false },
      async ({ params }, exchange) => {
        const answers = await Promise.all(workers.map((worker) => worker.retry(params.queue)))
        const known = answers.filter((retried) => retried !== null)
        if (known.length === 0) throw createNotFoundFailure('No running worker has this queue')
        const retried = known.reduce((sum, count) => sum + count, 0)
        exchange.note({ subject: params.queue, retried })
        return { retried }
      },
    ),
  ]
}
