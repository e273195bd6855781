import { getSessionLife, keepSession } from '@cairn/gateway-contracts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { call } from '../../shared/api/client.ts'
import { isUserActive, watchUserActivity } from '../../shared/session/user-activity.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { sessionQueries } from './current-session.ts'
import {
  formatCountdown,
  getNextCheckMs,
  isWarned,
  type KnownLife,
  toSessionEnd,
} from './session-times.ts'

const KEY = [...sessionQueries.all, 'life'] as const
const CHANNEL = 'cairn.session'
/**
 * Two computed session ends count as equal if they differ by less than this number of milliseconds.
 */
const SAME_END_MS = 5_000

/**
 * Warns in every tab before the session ends. While the user is active, the component extends the
 * session without asking.
 */
export function SessionWatch({ onLogout }: { onLogout: () => void }) {
  useEffect(watchUserActivity, [])
  const life = useSessionLife()
  const extension = useExtendSession()
  const [knownEnd, setKnownEnd] = useState<number | null>(null)
  if (life === undefined || !isWarned(life)) return null
  const { endsAtMs, canBeKept } = life
  const isKnown = knownEnd !== null && Math.abs(knownEnd - endsAtMs) < SAME_END_MS
  if (isKnown && !canBeKept) return null
  const extendSession = () => (canBeKept ? extension.mutate() : setKnownEnd(endsAtMs))
  return (
    <Dialog
      open
      onOpenChange={extendSession}
      title={canBeKept ? 'Are you still there?' : 'Your session ends soon'}
      footer={
        <>
          <Button onClick={onLogout}>Log out</Button>
          <Button look="primary" pending={extension.isPending} onClick={extendSession}>
            {canBeKept ? 'Stay logged in' : 'Keep working'}
          </Button>
        </>
      }
    >
      <div className="grid gap-4 text-14">
        <p>
          You will be logged out in <TimeLeft endsAtMs={endsAtMs} />
          {canBeKept
            ? ', because of inactivity.'
            : ', because the maximum session time ends. You can then log in again.'}
        </p>
        <p className="text-muted">Your input on this page is kept.</p>
        {extension.isError && (
          <Notice tone="error">The session could not be extended. Please try again.</Notice>
        )}
      </div>
    </Dialog>
  )
}

function useSessionLife(): KnownLife | undefined {
  const queryClient = useQueryClient()
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const life = toSessionEnd((await call(getSessionLife, {}, signal)).session, Date.now())
      const before = queryClient.getQueryData<KnownLife>(KEY)
      const isShown = before !== undefined && isWarned(before)
      if (!isWarned(life) || !life.canBeKept || isShown || !isUserActive()) return life
      return toSessionEnd((await call(keepSession, {}, signal)).session, Date.now())
    },
    refetchInterval: ({ state }) => (state.data === undefined ? false : getNextCheckMs(state.data)),
    // Background tabs poll too, because they must show the same state as the visible tab.
    refetchIntervalInBackground: true,
    staleTime: 0,
    // The answer is removed from the cache, so that the page does not use it after a new login.
    gcTime: 0,
  }).data
}

/** Extends the session and updates all tabs. */
function useExtendSession() {
  const queryClient = useQueryClient()
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL)
    channel.addEventListener('message', () => void queryClient.invalidateQueries({ queryKey: KEY }))
    return () => channel.close()
  }, [queryClient])
  return useMutation({
    mutationFn: () => call(keepSession),
    onSuccess: ({ session }) => {
      queryClient.setQueryData(KEY, toSessionEnd(session, Date.now()))
      const channel = new BroadcastChannel(CHANNEL)
      channel.postMessage('kept')
      channel.close()
    },
  })
}

/** Shows the time left. At zero, the server decides whether the session is over. */
function TimeLeft({ endsAtMs }: { endsAtMs: number }) {
  const queryClient = useQueryClient()
  const [nowMs, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const isOver = nowMs >= endsAtMs
  useEffect(() => {
    if (isOver) void queryClient.invalidateQueries({ queryKey: sessionQueries.all })
  }, [isOver, queryClient])
  return (
    <span role="timer" className="tabular font-semibold">
      {formatCountdown(endsAtMs - nowMs)}
    </span>
  )
}
