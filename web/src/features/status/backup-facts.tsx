import type { BackupRun, getJobs, ResponseOf } from '@cairn/gateway-contracts'
import { CircleCheck, CircleHelp, CircleX } from 'lucide-react'
import { Badge } from '../../shared/ui/badge.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { FigurePlaceholder } from '../../shared/ui/figure-placeholder.tsx'
import { FactText } from './fact-text.tsx'
import { InlineFact } from './inline-fact.tsx'

/** The part of a query result that `BackupFacts` needs. The query reads the state of the jobs. */
export interface BackupsRead {
  readonly data: ResponseOf<typeof getJobs> | undefined
  readonly isError: boolean
}

const LOOKS = {
  passed: { tone: 'success', icon: CircleCheck, word: 'Passed' },
  failed: { tone: 'declined', icon: CircleX, word: 'Failed' },
  unreadable: { tone: 'declined', icon: CircleHelp, word: 'Unknown' },
} as const

/** Shows when the last backup and the last drill ran, and whether they passed. */
export function BackupFacts({ backups: { data, isError } }: { backups: BackupsRead }) {
  const waiting = <FigurePlaceholder hasFailed={isError} className="h-5 w-40" />
  return (
    <>
      <InlineFact name="Last backup">
        {data === undefined ? (
          waiting
        ) : data.backup === null ? (
          <FactText level="missing">No backups: BACKUP_DIR is not set</FactText>
        ) : (
          <Run run={data.backup} command="npm run backup" />
        )}
      </InlineFact>
      <InlineFact name="Last restore drill">
        {data === undefined ? (
          waiting
        ) : data.drill === null ? (
          'None'
        ) : (
          <Run run={data.drill} command="npm run drill" />
        )}
      </InlineFact>
    </>
  )
}

function Run({ run, command }: { run: BackupRun; command: string }) {
  if (run.state === 'none') {
    return (
      <>
        None yet: run <code>{command}</code>
      </>
    )
  }
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      {'startedAt' in run && <DateText at={run.startedAt} format="relative" />}
      <Badge {...LOOKS[run.state]} />
      {'problem' in run && <span className="wrap-anywhere">{run.problem}</span>}
    </span>
  )
}
