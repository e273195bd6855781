import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useApplyDatePreferences } from '../../features/preferences/queries.ts'
import { sessionQueries, useLogout } from '../../features/sessions/current-session.ts'
import { settingsQueries } from '../../features/settings/queries.ts'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { useLiveUpdates } from '../../shared/live/live-updates.ts'
import { OfflineBar } from '../../shared/live/offline-bar.tsx'
import { useSessionEnded } from '../../shared/session/ended-session.ts'
import { SESSION_ENDED } from '../../shared/session/login-messages.ts'
import { buildLoginPath, getDashboardPath, isOwnArea } from '../../shared/session/redirects.ts'
import { useStepUpRequest } from '../../shared/session/step-up.ts'
import { type StoredUser, storeUser, useStoredUser } from '../../shared/session/stored-user.ts'
import { useHasElapsed } from '../../shared/ui/deferred.ts'
import { useHasInteracted } from '../../shared/ui/interaction.ts'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { Notice } from '../../shared/ui/notice.tsx'
import { notifyError } from '../../shared/ui/notify.ts'
import { OptionalPart } from '../../shared/ui/optional-part.tsx'
import { Redirect, useCurrentPage, useLocation } from '../../shared/url/navigation.tsx'
import { ErrorBoundary } from '../error-boundary.tsx'
import { CONTENT_WIDTH } from './content-width.ts'
import { ControlBar } from './control-bar.tsx'
import { DemoBar } from './demo-bar.tsx'
import { MaintenancePage } from './maintenance-page.tsx'
import { NoAccessPage } from './no-access-page.tsx'
import { useOpenSidebar } from './open-sidebar.ts'
import { useRouteFocus } from './route-focus.ts'
import { Sidebar } from './sidebar.tsx'
import { SkipLink } from './skip-link.tsx'
import { TopBar } from './top-bar.tsx'

const LogInAgain = lazy(async () => ({
  default: (await import('../../features/login/log-in-again.tsx')).LogInAgain,
}))
const StepUpDialog = lazy(async () => ({
  default: (await import('../../features/mfa/step-up-dialog.tsx')).StepUpDialog,
}))
const SessionWatch = lazy(async () => ({
  default: (await import('../../features/sessions/session-watch.tsx')).SessionWatch,
}))
const Toaster = lazy(async () => ({
  default: (await import('../../shared/ui/toaster.tsx')).Toaster,
}))
const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}))

/**
 * The code that watches the session is loaded after this delay, so that it does not slow down the
 * first page. A session rarely ends within the first seconds after a page has opened.
 */
const WATCH_AFTER_MS = 3_000

export function ManageLayout({ children }: { children: ReactNode }) {
  const stored = useStoredUser()
  const { pathname, search } = useLocation()
  const { data: me } = useQuery({ ...sessionQueries.me(), enabled: stored !== null })
  useEffect(() => {
    if (me !== undefined) storeUser(me)
  }, [me])
  useReloadForAnotherUser(me?.id)
  if (stored === null) {
    return <Redirect to={buildLoginPath(SESSION_ENDED, `${pathname}${search}`)} />
  }
  if (!isOwnArea(stored.role, pathname)) return <Redirect to={getDashboardPath(stored.role)} />
  return (
    <Frame
      user={me === undefined ? stored : { ...stored, permissions: me.permissions }}
      userId={me?.id ?? null}
      isWaiting={me?.role === 'user' && me.status === 'pending'}
    >
      {children}
    </Frame>
  )
}

/**
 * Reloads the page after a different user has logged in, so that no data of the previous user stays
 * in memory.
 */
function useReloadForAnotherUser(userId: string | undefined): void {
  const first = useRef(userId)
  useEffect(() => {
    first.current ??= userId
    if (userId !== undefined && userId !== first.current) window.location.reload()
  }, [userId])
}

type FrameProps = {
  user: StoredUser
  userId: string | null
  isWaiting: boolean
  children: ReactNode
}

function Frame({ user, userId, isWaiting, children }: FrameProps) {
  const { pathname, search } = useLocation()
  const settings = useQuery(settingsQueries.readPublic()).data
  const isClosed = settings?.isMaintenance === true && user.role !== 'admin'
  const hasSessionEnded = useSessionEnded()
  const factorQuestion = useStepUpRequest()
  const isSettled = useHasElapsed(WATCH_AFTER_MS)
  const hasInteracted = useHasInteracted()
  const logout = useLogout()
  const sidebar = useOpenSidebar(pathname)
  const palette = usePalette()
  useApplyDatePreferences()
  useRouteFocus()
  useLiveUpdates(hasSessionEnded ? null : userId)
  const logOut = () =>
    logout.mutate(undefined, {
      onError: (error) => notifyError(getErrorMessage(error, 'Logout failed. Please try again.')),
    })
  return (
    <div className="flex min-h-dvh flex-col lg:pl-64">
      {!sidebar.isOpen && <SkipLink />}
      {sidebar.isOpen && (
        <button
          type="button"
          aria-label="Close the menu"
          onClick={sidebar.close}
          className="fixed inset-0 z-40 animate-fade-in bg-scrim lg:hidden"
        />
      )}
      <Sidebar viewer={user} isOpen={sidebar.isOpen} onLogout={logOut} />
      {/* While the sidebar is open, the page behind it cannot receive the focus and is hidden from
         screen readers. */}
      <div inert={sidebar.isOpen} className="flex flex-1 flex-col">
        <OfflineBar />
        <TopBar
          user={user}
          onOpenSidebar={sidebar.open}
          onSearch={palette.open}
          onLogout={logOut}
        />
        {user.role === 'admin' && <ControlBar />}
        <main
          id="main"
          tabIndex={-1}
          className={joinClasses(CONTENT_WIDTH, 'grid grid-cols-1 gap-6 px-4 py-6')}
        >
          {isWaiting && (
            <Notice tone="warning">
              Your account is waiting for approval. You can already view the pages and add your bank
              accounts; you can deposit, withdraw and invest after an administrator has approved
              your account.
            </Notice>
          )}
          {isClosed ? (
            <MaintenancePage />
          ) : (
            <Guarded user={user} isCurrent={userId !== null}>
              {children}
            </Guarded>
          )}
        </main>
        {settings?.isDemo === true && <DemoBar className="sticky bottom-0 z-20 mt-auto" />}
      </div>
      {palette.text !== null && (
        <Suspense>
          <CommandPalette
            viewer={user}
            text={palette.text}
            onText={palette.open}
            onClose={palette.close}
            onLogout={logOut}
          />
        </Suspense>
      )}
      {factorQuestion !== null && (
        <Suspense>
          <StepUpDialog onAnswer={factorQuestion.answer} />
        </Suspense>
      )}
      {hasSessionEnded && (
        <Suspense>
          <LogInAgain path={`${pathname}${search}`} />
        </Suspense>
      )}
      {!hasSessionEnded && isSettled && (
        <OptionalPart>
          <SessionWatch onLogout={logOut} />
        </OptionalPart>
      )}
      {hasInteracted && (
        <OptionalPart>
          <Toaster />
        </OptionalPart>
      )}
    </div>
  )
}

type GuardedProps = { user: StoredUser; isCurrent: boolean; children: ReactNode }

/**
 * Shows the page if the administrator has the permission that the page requires. `isCurrent` is
 * true once the server has confirmed the stored permissions.
 */
function Guarded({ user, isCurrent, children }: GuardedProps) {
  const { permission } = useCurrentPage()
  if (permission === null || user.permissions.includes(permission)) {
    return <ErrorBoundary>{children}</ErrorBoundary>
  }
  return isCurrent ? <NoAccessPage /> : null
}

function usePalette() {
  const [text, setText] = useState<string | null>(null)
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setText((shown) => (shown === null ? '' : null))
    }
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [])
  return { text, open: (typed: string) => setText(typed), close: () => setText(null) }
}
