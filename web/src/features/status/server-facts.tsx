import type { WorkerState } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { DateText } from '../../shared/ui/date-text.tsx'
import { FigurePlaceholder } from '../../shared/ui/figure-placeholder.tsx'
import {
  describeArchive,
  describeDisk,
  describeReleases,
  describeStandbys,
  formatBytes,
  isCertificateEnding,
  type ServerFact,
  type Servers,
} from './describe-servers.ts'
import { FactText } from './fact-text.tsx'
import { InlineFact } from './inline-fact.tsx'
import { statusQueries } from './queries.ts'

const FACTS: ReadonlyArray<{
  name: string
  render: (servers: Servers, workers: readonly WorkerState[]) => ReactNode
}> = [
  {
    name: 'Archive of the database',
    render: ({ ledger: { database } }) => <Fact {...describeArchive(database)} />,
  },
  { name: 'Replication', render: ({ ledger: { database } }) => describeStandbys(database) },
  {
    name: 'Disk of the ledger service',
    render: ({ ledger: { disk } }) =>
      disk === null ? 'Unknown before the first checkpoint' : <Fact {...describeDisk(disk)} />,
  },
  {
    name: 'Disk of the backups',
    render: ({ gateway: { backupDisk } }) =>
      backupDisk === null ? 'Not set or not readable' : <Fact {...describeDisk(backupDisk)} />,
  },
  {
    name: 'Certificate of the ledger service',
    render: ({ ledger: { certificateExpiresAt: end } }) =>
      end === null ? (
        'None: it is reached only from its own machine'
      ) : (
        <FactText level={isCertificateEnding(end, Date.now()) ? 'fault' : 'normal'}>
          Expires on <DateText at={end} format="day" />
        </FactText>
      ),
  },
  {
    name: 'Releases',
    render: (servers, workers) => <Fact {...describeReleases(servers, workers)} />,
  },
  {
    name: 'Database',
    render: ({ ledger: { database } }) =>
      `PostgreSQL ${database.version}, ${formatBytes(database.bytes)}`,
  },
]

/** Shows the releases of the programs, and the state of the database server and of the disks. */
export function ServerFacts({ workers }: { workers: readonly WorkerState[] | undefined }) {
  const { data, isError } = useQuery(statusQueries.readServers())
  return (
    <>
      {FACTS.map(({ name, render }) => (
        <InlineFact key={name} name={name}>
          {data === undefined || workers === undefined ? (
            <FigurePlaceholder hasFailed={isError} className="h-5 w-40" />
          ) : (
            render(data, workers)
          )}
        </InlineFact>
      ))}
    </>
  )
}

const Fact = ({ text, level }: ServerFact) => <FactText level={level}>{text}</FactText>
