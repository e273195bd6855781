import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleDashed, CircleHelp, CircleX, Clock } from 'lucide-react'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { Allowed } from '../../shared/session/permissions.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { explorerQueries, useStartVerification } from '../explorer/index.ts'
import { settingsQueries } from '../settings/index.ts'
import { describeVerifiedPart, findLedgerLook } from './find-ledger-look.ts'
import { StateLink, StatePlaceholder } from './state-link.tsx'

const LOOKS = {
  agrees: { icon: CircleCheck, color: 'text-success', words: 'Ledger adds up' },
  differs: { icon: CircleX, color: 'text-declined', words: 'Ledger does not add up' },
  running: { icon: Clock, color: 'text-pending', words: 'Verifying the ledger' },
  unverified: { icon: CircleDashed, color: 'text-pending', words: 'Ledger not verified yet' },
  unknown: { icon: CircleHelp, color: 'text-muted', words: 'Ledger state unknown' },
} as const

/** The size is the same in every state, so that nothing moves. */
const SIZE = 'h-14 w-full sm:h-11 sm:w-110'
const FIRST_EVENT = '0'

/**
 * Says whether the ledger agrees with its log, with the times of the last verification and of the
 * last signed checkpoint. A ledger without a result offers a verification to administrators who may
 * start one.
 */
export function LedgerState() {
  const runs = useQuery(explorerQueries.listVerifications(null))
  const heads = useInfiniteQuery(explorerQueries.listCheckpoints(null))
  const start = useStartVerification(null)
  const [first] = useQuery(settingsQueries.readPublic()).data?.ledgers ?? []
  if (runs.isPending || heads.isPending) return <StatePlaceholder className={SIZE} />
  const state = findLedgerLook(runs.data?.verifications)
  const { look, verifiedAt } = state
  const head = heads.data?.pages[0]?.checkpoints[0]
  const signedAt = head?.signedAt
  const words =
    state.look === 'agrees'
      ? describeVerifiedPart(state.verifiedTo, head?.size ?? null)
      : LOOKS[look].words
  return (
    <div className={`${SIZE} flex items-center gap-2 sm:justify-end`}>
      <StateLink
        to="/manage/admin/checkpoints"
        {...LOOKS[look]}
        words={words}
        className="h-full min-w-0 flex-1 sm:flex-none"
      >
        {start.isError ? (
          <span role="alert" className="text-declined">
            {getErrorMessage(start.error, 'The verification was not started.')}
          </span>
        ) : (
          <span className="flex flex-wrap gap-x-1">
            {/* The state of the other ledgers is on the page of the checkpoints. */}
            {first !== undefined && <span>Ledger {first}:</span>}
            {verifiedAt !== null && (
              <span>
                Verified <DateText at={verifiedAt} format="short" />
                <span aria-hidden="true" className="max-sm:hidden">
                  {' '}
                  ·
                </span>
              </span>
            )}
            {signedAt !== undefined ? (
              <span>
                Checkpoint signed <DateText at={signedAt} format="short" />
              </span>
            ) : heads.isError ? (
              'Checkpoint: time unknown'
            ) : (
              'No checkpoint signed yet'
            )}
          </span>
        )}
      </StateLink>
      {look === 'unverified' && (
        <Allowed permission="ledger.verify">
          {/* The margin ends the button where the cards below end. A link ends there with its text. */}
          <Button
            size="small"
            className="mr-2"
            pending={start.isPending}
            onClick={() => start.mutate(FIRST_EVENT)}
          >
            Verify now
          </Button>
        </Allowed>
      )}
    </div>
  )
}
