import { useQuery, useQueryClient } from '@tanstack/react-query'

import { getRootKey } from '../../shared/api/query-keys.ts'
import { readPublic } from '../../shared/api/read-public.ts'
import { formatSentenceDate } from '../../shared/dates/sentence-date.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { compareKeysOfLedger, replaceKeysOfLedger } from './ledger-keys.ts'
import { verifyQueries } from './queries.ts'

/** Shows the key of each ledger of the site that this browser trusts. */
export function KeyCards() {
  const further = useQuery(verifyQueries.readLogKey()).data?.ledgers?.slice(1) ?? []
  return (
    <>
      <KeyCard ledger={null} />
      {further.map((ledger) => (
        <section key={ledger} aria-label={`The key of ledger ${ledger}`} className="grid gap-3">
          <h3 className="font-medium text-16">Ledger {ledger}</h3>
          <KeyCard ledger={ledger} />
        </section>
      ))}
    </>
  )
}

/**
 * Shows the key that this browser trusts. If the site offers a different key, the browser replaces
 * the trusted key only after the visitor clicks a button. `ledger` is null for the first ledger.
 */
function KeyCard({ ledger }: { ledger: number | null }) {
  const queryClient = useQueryClient()
  const keys = useQuery({
    queryKey: [...getRootKey('logKey'), 'trusted', ledger],
    queryFn: async ({ signal }) => {
      const search = ledger === null ? '' : `?ledger=${ledger}`
      const { verifierKeys } = await readPublic('/public/log-key', signal, search)
      return { verifierKeys, ...compareKeysOfLedger({ ledger, verifierKeys }) }
    },
    gcTime: 0,
  })
  const replace = () => {
    replaceKeysOfLedger({ ledger, verifierKeys: keys.data?.verifierKeys ?? [] })
    void queryClient.invalidateQueries({ queryKey: getRootKey('logKey') })
  }
  if (keys.data === undefined) {
    return keys.isError ? (
      <FailedState
        message={
          ledger === null
            ? 'The key could not be loaded.'
            : `Ledger ${ledger} does not answer, so its key could not be loaded.`
        }
        onRetry={keys.refetch}
        pending={keys.isFetching}
      />
    ) : (
      <Skeleton className="h-28 w-full rounded-card" />
    )
  }
  const { trustedKey, seenAt, isPinned, problem, isReplaceable, verifierKeys } = keys.data
  const hasOffer = verifierKeys.length > 0
  return (
    <>
      <Card className="grid min-h-28 content-start gap-2 p-5 text-14">
        {trustedKey === null ? (
          <p className="text-muted">The ledger has no key yet.</p>
        ) : (
          <>
            <p className="text-muted">
              {isPinned ? 'Built into this page' : 'Trusted by this browser'}
              {!isPinned && seenAt !== null && ` since ${formatSentenceDate(seenAt)}`}
            </p>
            <code className="break-all">{trustedKey}</code>
          </>
        )}
      </Card>
      {problem !== null && (
        <Notice tone="error">
          <p>
            <strong className="font-semibold">
              {describeProblem({ isReplaceable, hasOffer })}
            </strong>{' '}
            {problem}. Until the key is trusted, nothing{' '}
            {ledger === null ? 'on this site' : `of ledger ${ledger}`} verifies in this browser.
          </p>
          {isReplaceable && hasOffer && (
            <Button
              size="small"
              className="mt-3 h-auto! whitespace-normal! py-1.5"
              onClick={replace}
            >
              I have compared the keys: trust the new key
            </Button>
          )}
        </Notice>
      )}
    </>
  )
}

function describeProblem({
  isReplaceable,
  hasOffer,
}: {
  isReplaceable: boolean
  hasOffer: boolean
}): string {
  if (!hasOffer) return 'The key is missing:'
  return isReplaceable ? 'The key of this site has changed:' : 'The site offers another key:'
}
