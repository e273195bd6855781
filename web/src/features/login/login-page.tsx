import { useQuery, useQueryClient } from '@tanstack/react-query'
import { setSessionEnded } from '../../shared/session/ended-session.ts'
import { findLoginMessage, isSuccessMessage } from '../../shared/session/login-messages.ts'
import { storeUser, useStoredUser } from '../../shared/session/stored-user.ts'
import { Notice } from '../../shared/ui/notice.tsx'
import { usePageTitle } from '../../shared/ui/page-title.ts'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { Redirect, useNavigate, useSearchParams } from '../../shared/url/navigation.tsx'
import { storeCodeStep } from '../registration/index.ts'
import { type SignedIn, sessionQueries } from '../sessions/index.ts'
import { settingsQueries } from '../settings/index.ts'
import { findLoginDestination } from './destination.ts'
import { LoginSteps } from './login-steps.tsx'

export function LoginPage() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const settings = useQuery(settingsQueries.readPublic()).data
  usePageTitle()
  const area = useOwnArea(search.get('redirectTo'))
  const message = findLoginMessage(search.get('message'))
  const completeLogin = (user: SignedIn) => {
    // Removes cached data of the previous session, so that the user of the new session cannot see
    // it.
    queryClient.clear()
    setSessionEnded(false)
    storeUser(user)
    void navigate(findLoginDestination(user.role, search.get('redirectTo')), { replace: true })
  }
  if (area !== null) return <Redirect to={area} />
  return (
    <div className="grid gap-6">
      {settings?.isMaintenance === true && (
        <Notice tone="warning">
          The site is being maintained. Only administrators can log in until the maintenance ends.
        </Notice>
      )}
      <LoginSteps
        knownEmail={null}
        onEntered={completeLogin}
        onUnverified={(email) => {
          storeCodeStep(email)
          void navigate('/users/register')
        }}
        renderHeading={(title, text) => (
          <>
            <div className="grid gap-1">
              <h1 className="font-semibold font-serif text-28">{title}</h1>
              <p className="text-14 text-muted">{text}</p>
            </div>
            {message !== null && title === 'Log in' && (
              <Notice tone={isSuccessMessage(message) ? 'success' : 'error'}>{message}</Notice>
            )}
          </>
        )}
      />
      <p className="text-14 text-muted">
        No account yet? <TextLink to="/users/register">Create an account</TextLink>
      </p>
    </div>
  )
}

/**
 * Returns the page to open for a person who is logged in already; null for others. The server
 * confirms the session, because the stored user can belong to a session that has ended.
 */
function useOwnArea(redirectTo: string | null): string | null {
  const stored = useStoredUser()
  const { data: me } = useQuery({ ...sessionQueries.me(), enabled: stored !== null })
  if (stored === null || me === undefined) return null
  return findLoginDestination(me.role, redirectTo)
}
