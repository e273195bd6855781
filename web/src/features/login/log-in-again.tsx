import { useQueryClient } from '@tanstack/react-query'
import { Dialog as Primitive } from 'radix-ui'

import { setSessionEnded } from '../../shared/session/ended-session.ts'
import { SESSION_ENDED } from '../../shared/session/login-messages.ts'
import { buildLoginPath, getDashboardPath } from '../../shared/session/redirects.ts'
import { forgetStoredUser, getStoredUser, storeUser } from '../../shared/session/stored-user.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { ReturnFocus } from '../../shared/ui/return-focus.tsx'
import { type SignedIn, sessionQueries } from '../sessions/index.ts'
import { LoginSteps } from './login-steps.tsx'

/**
 * Shows the login over the open page after the session has ended. The open page keeps the typed
 * input.
 */
export function LogInAgain({ path }: { path: string }) {
  const queryClient = useQueryClient()
  const before = queryClient.getQueryData(sessionQueries.me().queryKey)?.user
  const goToLogin = () => {
    forgetStoredUser()
    window.location.assign(buildLoginPath(SESSION_ENDED, path))
  }
  const resumeSession = (user: SignedIn) => {
    const stored = getStoredUser()
    // The page may have been opened so recently that its user was not read before the session ended.
    const isSameUser =
      before === undefined
        ? user.name === stored?.name && user.role === stored.role
        : user.id === before.id
    storeUser(user)
    if (!isSameUser) {
      // The user who logged in is not the user of the ended session. Loading the whole page removes
      // the data of the ended session from memory.
      window.location.assign(getDashboardPath(user.role))
      return
    }
    setSessionEnded(false)
    void queryClient.invalidateQueries()
  }
  return (
    <Primitive.Root open>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-50 animate-fade-in bg-scrim" />
        <Primitive.Content
          aria-describedby={undefined}
          className="fixed inset-x-0 bottom-0 z-50 grid max-h-[96dvh] gap-5 overflow-y-auto rounded-t-card border border-line bg-surface p-6 shadow-raised sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-[28rem] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-card"
        >
          <ReturnFocus />
          <LoginSteps
            knownEmail={before?.email ?? null}
            onEntered={resumeSession}
            onUnverified={goToLogin}
            renderHeading={(title, text) => (
              <>
                <div className="grid gap-1">
                  <Primitive.Title className="font-semibold text-20">{title}</Primitive.Title>
                  {title !== 'Log in' && <p className="text-14 text-muted">{text}</p>}
                </div>
                {title === 'Log in' && (
                  <Notice tone="info">
                    Your session has ended. Log in again to continue. Your input on this page is
                    kept.
                  </Notice>
                )}
              </>
            )}
          />
          <Button look="quiet" wide onClick={goToLogin}>
            Leave page
          </Button>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
