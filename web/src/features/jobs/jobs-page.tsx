import { exportJobs, retryJobs, type WorkerState } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleX } from 'lucide-react'
import { call } from '../../shared/api/client.ts'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'
import { Badge } from '../../shared/ui/badge.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EmptyLine } from '../../shared/ui/empty-state.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { notifyError, notifySuccess } from '../../shared/ui/notify.ts'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { SystemCard, statusQueries } from '../status/index.ts'

const WORKER_WORDS: Record<string, string> = {
  ledger: 'Profit and checkpoints',
  gateway: 'Email and documents',
}

const QUEUE_WORDS: Record<string, string> = {
  'accruals.accrue-due': 'Profit credits',
  'proofs.close-months': 'Month ends',
  'mail.send': 'Emails',
}

function describeQueue(name: string): string {
  return QUEUE_WORDS[name] ?? name
}

const LAG_WORDS: Record<string, string> = {
  accrual: 'Profit',
  'available.v1': 'Order of users',
  mail: 'Emails about accounts',
  'mail.v1': 'Emails about events',
  'cash.v1': 'Cash movements',
  'credits.v1': 'Credits of administrators',
  'bonuses.v1': 'Referral bonuses',
  'charts.v3': 'Charts',
  'notifications.v1': 'Notifications',
  'receipts.v1': 'Receipts',
}

const UP_TO_DATE = 'Up to date'

/** Describes each lag above zero, or says that the worker is up to date. */
function describeLag(lags: WorkerState['lags']): string {
  const behind = lags.filter(({ value }) => value > 0)
  if (behind.length === 0) return UP_TO_DATE
  return behind
    .map(({ name, value, unit }) => `${describeLagName(name)}: ${value} ${unit} behind`)
    .join(', ')
}

/** Describes a name such as `mail.v1`, or `mail.v1@2` for ledger 2. */
function describeLagName(name: string): string {
  const [task = name, ledger] = name.split('@')
  const word = LAG_WORDS[task] ?? task
  return ledger === undefined ? word : `${word} (ledger ${ledger})`
}

type Queue = WorkerState['queues'][number]

/** True if the queue has jobs that wait, run or have failed. */
const hasJobs = ({ waiting, active, dead }: Queue) => waiting + active + dead > 0

const COLUMNS: ReadonlyArray<Column<Queue>> = [
  {
    id: 'name',
    header: 'Queue',
    renderCell: (row) => <span className="font-medium">{describeQueue(row.name)}</span>,
  },
  { id: 'waiting', header: 'Waiting', align: 'right', renderCell: (row) => row.waiting },
  { id: 'active', header: 'Running', align: 'right', renderCell: (row) => row.active },
  { id: 'dead', header: 'Failed', align: 'right', renderCell: (row) => row.dead },
  {
    id: 'last',
    header: 'Last success',
    renderCell: (row) =>
      row.lastSuccessAt === null ? (
        'None yet'
      ) : (
        <DateText at={row.lastSuccessAt} format="relative" />
      ),
  },
  { id: 'retry', header: 'Retry', align: 'right', renderCell: (row) => <Retry queue={row} /> },
]

/** Shows the workers and their lag. */
export function JobsPage() {
  const query = useQuery(statusQueries.readJobs())
  const workers = query.data?.workers
  return (
    <>
      <PageHeader
        text="Background work: email, documents, profit credits and checkpoints. Failed jobs can be retried here."
        hasTimes
        actions={<CsvLink endpoint={exportJobs} />}
      />
      <SystemCard backups={query} />
      {workers === undefined ? (
        <WorkerCard worker={undefined} query={query} />
      ) : (
        workers.map((worker) => <WorkerCard key={worker.worker} worker={worker} query={query} />)
      )}
    </>
  )
}

type Read = { isError: boolean; isFetching: boolean; refetch: () => unknown }

function WorkerCard({ worker, query }: { worker: WorkerState | undefined; query: Read }) {
  const name = worker === undefined ? 'Workers' : (WORKER_WORDS[worker.worker] ?? worker.worker)
  return (
    <Card>
      <CardHeader
        title={name}
        note={worker === undefined ? undefined : <WorkerBadge worker={worker} />}
      />
      {worker?.isReachable === false && (
        <div className="p-4">
          <Notice tone="error">
            This worker does not respond. It restarts automatically; check its log if this persists.
          </Notice>
        </div>
      )}
      <DataTable
        caption={name}
        columns={COLUMNS}
        query={{ ...query, data: worker?.queues.filter(hasJobs) }}
        keyOf={(row) => row.name}
        narrow={(row) => (
          <span className="flex items-center justify-between gap-3">
            <span className="grid min-w-0">
              <span className="break-all font-medium">{describeQueue(row.name)}</span>
              <span className="text-12 text-muted">
                {row.waiting} waiting, {row.dead} failed
              </span>
            </span>
            <Retry queue={row} />
          </span>
        )}
        failed="The jobs could not be loaded."
        skeletonRows={1}
        empty={<EmptyLine title="No open jobs" />}
      />
      {worker !== undefined && <IdleQueues queues={worker.queues} />}
    </Card>
  )
}

function WorkerBadge({ worker }: { worker: WorkerState }) {
  if (!worker.isReachable) return <Badge tone="declined" icon={CircleX} word="Not available" />
  const words = describeLag(worker.lags)
  return words === UP_TO_DATE ? (
    <Badge tone="success" icon={CircleCheck} word={words} />
  ) : (
    <span className="text-pending">{words}</span>
  )
}

function IdleQueues({ queues }: { queues: readonly Queue[] }) {
  const idle = queues.filter((queue) => !hasJobs(queue))
  if (idle.length === 0) return null
  return (
    <dl className="grid gap-1 border-line border-t px-5 py-3 text-12 text-muted">
      {idle.map(({ name, lastSuccessAt }) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-4 sm:justify-start">
          <dt className="wrap-anywhere sm:w-48">{describeQueue(name)}: idle</dt>
          <dd>
            {lastSuccessAt === null ? (
              'No success yet'
            ) : (
              <>
                Last success <DateText at={lastSuccessAt} format="relative" />
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Retry({ queue }: { queue: Queue }) {
  const queryClient = useQueryClient()
  const retry = useMutation({
    mutationFn: () => call(retryJobs, { params: { queue: queue.name } }),
    onSuccess: ({ retried }) =>
      notifySuccess(`${formatCounted(retried, 'job runs', 'jobs run')} again.`),
    onError: (error) => notifyError(getErrorMessage(error, 'The jobs were not retried.')),
    onSettled: () => queryClient.invalidateQueries({ queryKey: getRootKey('jobs') }),
  })
  return (
    <Button
      size="small"
      pending={retry.isPending}
      onClick={() => retry.mutate()}
      aria-label={`Retry ${describeQueue(queue.name)}`}
    >
      Retry
    </Button>
  )
}
