import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { toMinor } from '../../shared/money/money.ts'
import { DateText } from '../../shared/ui/date-text.tsx'
import { SidePanel } from '../../shared/ui/dialog.tsx'
import { Fact, FactList } from '../../shared/ui/fact-list.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { useOpenedId } from '../../shared/ui/opened-id.ts'
import { ReasonStep } from '../../shared/ui/reason-step.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { describeEvent } from '../explorer/index.ts'
import { LineBadge } from './line-badge.tsx'
import {
  type BankLine,
  bankStatementQueries,
  type CashMovement,
  useMatchLine,
  useUnmatchLine,
} from './queries.ts'

/** Shows one statement line with its match, or with the possible matches. */
export function LinePanel({ id, onClose }: { id: string | null; onClose: () => void }) {
  const query = useQuery({ ...bankStatementQueries.listCandidates(id ?? ''), enabled: id !== null })
  const line = query.data?.line
  const openedId = useOpenedId(id)
  const closeLine = () => {
    if (openedId.current === id) onClose()
  }
  return (
    <SidePanel
      open={id !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Line of a statement"
    >
      {query.isError && (
        <FailedState
          message={getErrorMessage(query.error, 'The line could not be loaded.')}
          error={query.error}
          onRetry={query.refetch}
          pending={query.isFetching}
        />
      )}
      {query.isPending && <Skeleton className="h-64 w-full rounded-card" />}
      {line !== undefined && (
        <div className="grid grid-cols-1 gap-6">
          <LineFacts line={line} />
          {line.match === null ? (
            <OpenLine
              key={line.id}
              line={line}
              candidates={query.data?.candidates ?? []}
              onClose={closeLine}
            />
          ) : (
            <MatchedLine key={line.id} line={line} match={line.match} onClose={onClose} />
          )}
        </div>
      )}
    </SidePanel>
  )
}

function LineFacts({ line }: { line: BankLine }) {
  return (
    <FactList>
      <Fact name="Amount">
        <MoneyText minor={toMinor(line.amount)} signed className="font-semibold text-16" />
      </Fact>
      <Fact name="Day">
        <DateText at={line.day} format="day" />
      </Fact>
      <Fact name="Status">
        <LineBadge line={line} />
      </Fact>
      <Fact name="Bank description">
        <span className="break-words">{line.reference === '' ? 'None' : line.reference}</span>
      </Fact>
    </FactList>
  )
}

type OpenLineProps = { line: BankLine; candidates: readonly CashMovement[]; onClose: () => void }

function OpenLine({ line, candidates, onClose }: OpenLineProps) {
  const [seq, setSeq] = useState<string | null>(null)
  const match = useMatchLine(line.id, seq)
  const chosen = candidates.find((one) => one.seq === seq)
  return (
    <section className="grid gap-4" aria-label="Possible matches">
      <h3 className="font-semibold text-14">Possible matches in the ledger</h3>
      {candidates.length === 0 && (
        <Notice tone="info">
          The ledger has no movement in this direction within 45 days. Approve a pending deposit
          under{' '}
          <TextLink to="/manage/admin/transactions?status=pending">Pending Transactions</TextLink>.
          A wrong balance is corrected by an adjustment, on the page of{' '}
          <TextLink to="/manage/admin/users">its user</TextLink>.
        </Notice>
      )}
      <div className="grid gap-2">
        {candidates.map((movement) => (
          <label
            key={movement.seq}
            className="flex cursor-pointer items-start gap-3 rounded-card border border-line-strong p-3 text-14 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name="movement"
              checked={movement.seq === seq}
              onChange={() => setSeq(movement.seq)}
              className="mt-0.5 size-5 shrink-0 accent-[var(--accent)]"
            />
            <MovementText movement={movement} />
          </label>
        ))}
      </div>
      {candidates.length > 0 && (
        <ReasonStep
          look="primary"
          button="Match"
          act={match}
          disabled={chosen === undefined}
          fallback="The line was not matched."
          text={chosen === undefined ? 'Choose a movement.' : describeMatch(line, chosen)}
          onDone={() => {
            notifySuccess('The line is matched.')
            onClose()
          }}
          onBack={onClose}
        />
      )}
    </section>
  )
}

function describeMatch(line: BankLine, movement: CashMovement): string {
  const isSame = toMinor(line.amount) === toMinor(movement.amount)
  return isSame
    ? `The line and event ${movement.seq} record the same payment.`
    : `The amounts differ. The line and event ${movement.seq} are matched anyway, and the difference stays visible.`
}

function MovementText({ movement }: { movement: CashMovement }) {
  return (
    <span className="grid min-w-0 flex-1 gap-0.5">
      <span className="flex items-baseline justify-between gap-3">
        <span className="font-medium">{describeEvent(movement.type)}</span>
        <MoneyText minor={toMinor(movement.amount)} signed />
      </span>
      <span className="flex flex-wrap justify-between gap-x-3 text-12 text-muted">
        <span className="tabular">{movement.reference ?? `Event ${movement.seq}`}</span>
        <DateText at={movement.day} format="day" />
      </span>
    </span>
  )
}

type MatchedLineProps = {
  line: BankLine
  match: NonNullable<BankLine['match']>
  onClose: () => void
}

function MatchedLine({ line, match, onClose }: MatchedLineProps) {
  const unmatch = useUnmatchLine(line.id)
  const difference = toMinor(match.difference)
  return (
    <section className="grid gap-4" aria-label="Matched with">
      <div className="rounded-card border border-line-strong p-3 text-14">
        <MovementText movement={match.movement} />
      </div>
      <FactList>
        {difference !== 0n && (
          <Fact name="Difference">
            <MoneyText minor={difference} signed />
          </Fact>
        )}
        <Fact name="Matched by">
          {match.person?.name ?? 'Automatic, by reference or by amount and day'}
        </Fact>
        <Fact name="Matched at">
          <DateText at={match.at} format="moment" />
        </Fact>
        {match.reason !== null && (
          <Fact name="Reason">
            <span className="break-words">{match.reason}</span>
          </Fact>
        )}
        <Fact name="Ledger">
          <TextLink to={`/manage/admin/ledger/${match.movement.seq}`}>
            Event {match.movement.seq}
          </TextLink>
        </Fact>
      </FactList>
      <ReasonStep
        button="Remove match"
        act={unmatch}
        fallback="The match was not removed."
        text="The match is removed. The line and the movement do not change."
        onDone={() => notifySuccess('The match is removed.')}
        onBack={onClose}
      />
    </section>
  )
}
