import { formatCounted } from '@cairn/gateway-contracts/counted'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { formatDate } from '../../shared/dates/format-date.ts'
import { toMinor } from '../../shared/money/money.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { notifyError, notifySuccess } from '../../shared/ui/notify.ts'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { StatCard, StatGroup } from '../../shared/ui/stat-card.tsx'
import { useParams } from '../../shared/url/navigation.tsx'
import { ImportForm } from './import-form.tsx'
import { ImportsCard } from './imports-card.tsx'
import { LinesCard } from './lines-card.tsx'
import { MovementsCard } from './movements-card.tsx'
import { bankStatementQueries, type CashAccount, useMatchAgain } from './queries.ts'

const NO_STATEMENT = 'No statement imported yet'

/** Compares the bank's figures for one cash account with the ledger's figures. */
export function BankStatementsPage() {
  const { option = '' } = useParams()
  const query = useQuery(bankStatementQueries.readCashAccount(option))
  const [isImporting, setImporting] = useState(false)
  // Undefined while the account loads, and null if it could not be loaded.
  const known = query.data === undefined ? null : query.data.statement !== null
  const hasStatement = query.isPending ? undefined : known
  const match = useMatchAgain(option)
  const matchAgain = () =>
    match.mutate(undefined, {
      onSuccess: ({ matched }) => notifySuccess(describeMatches(matched)),
      onError: (error) => notifyError(getErrorMessage(error, 'The lines could not be matched.')),
    })
  return (
    <>
      <PageHeader
        title={query.data?.name}
        above={{ to: '/manage/admin/reserve', label: 'Reserve' }}
        text="Compares bank statements with the ledger. This page does not move money."
        hasTimes
        actions={
          <>
            <Button pending={match.isPending} onClick={matchAgain}>
              Match again
            </Button>
            <Button look="primary" onClick={() => setImporting(true)}>
              Import statement
            </Button>
          </>
        }
      />
      {query.isError && (
        <FailedState
          message={getErrorMessage(query.error, 'The account could not be loaded.')}
          error={query.error}
          onRetry={query.refetch}
          pending={query.isFetching}
        />
      )}
      <Figures account={query.data} isLoading={query.isPending} />
      <LinesCard option={option} hasStatement={hasStatement} onImport={() => setImporting(true)} />
      <MovementsCard option={option} hasStatement={hasStatement} />
      <ImportsCard option={option} />
      <Dialog open={isImporting} onOpenChange={setImporting} title="Import statement">
        {isImporting && <ImportForm option={option} onDone={() => setImporting(false)} />}
      </Dialog>
    </>
  )
}

function describeMatches(matched: number): string {
  return `${formatCounted(matched, 'line')} ${matched === 1 ? 'was' : 'were'} matched.`
}

function Figures({ account, isLoading }: { account: CashAccount | undefined; isLoading: boolean }) {
  const statement = account?.statement ?? null
  const closing = statement?.closing ?? null
  const unknown = isLoading ? null : { text: '–' }
  const day = statement === null ? '' : formatDate(statement.lastDay, 'day')
  const difference =
    statement === null || closing === null
      ? null
      : toMinor(closing) - toMinor(statement.booksClosing)
  return (
    <StatGroup label="Bank and ledger">
      <StatCard
        label="Ledger balance now"
        value={account === undefined ? null : { money: toMinor(account.balance) }}
        isLoading={isLoading}
      />
      <StatCard
        label="The bank’s closing balance"
        value={closing === null ? unknown : { money: toMinor(closing) }}
        isLoading={isLoading}
        note={
          account === undefined
            ? '\u00a0'
            : statement === null
              ? NO_STATEMENT
              : closing === null
                ? `The statement up to ${day} has no balances`
                : `At the end of ${day}`
        }
      />
      <StatCard
        label="Difference that day"
        value={difference === null ? unknown : { money: difference }}
        isLoading={isLoading}
        note={
          difference === null
            ? undefined
            : difference === 0n
              ? 'No difference'
              : 'Bank minus ledger'
        }
      />
      <StatCard
        label="Not matched"
        value={
          account === undefined
            ? null
            : statement === null
              ? { text: '–' }
              : { count: account.openLines + account.openMovements }
        }
        isLoading={isLoading}
        hasLongNote
        note={
          account === undefined
            ? '\u00a0'
            : statement === null
              ? NO_STATEMENT
              : `${account.openLines} in the bank, ${account.openMovements} in the ledger`
        }
      />
    </StatGroup>
  )
}
