import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { useReferralLink } from '../../features/registration/referral-link.ts'
import { settingsQueries } from '../../features/settings/queries.ts'
import { useStoredUser } from '../../shared/session/stored-user.ts'
import { useLocation } from '../../shared/url/navigation.tsx'
import { DemoBar } from './demo-bar.tsx'
import { PublicFooter } from './public-footer.tsx'
import { PublicHeader } from './public-header.tsx'
import { RiskBanner } from './risk-banner.tsx'
import { useRouteFocus } from './route-focus.ts'
import { SkipLink } from './skip-link.tsx'

const MaintenancePage = lazy(async () => ({
  default: (await import('./maintenance-page.tsx')).MaintenancePage,
}))

export function PublicLayout({ children }: { children: ReactNode }) {
  const settings = useQuery(settingsQueries.readPublic()).data
  const role = useStoredUser()?.role
  const { pathname } = useLocation()
  const isClosed = settings?.isMaintenance === true && role !== 'admin' && pathname !== '/status'
  useReferralLink()
  useRouteFocus()
  return (
    // On a page that is lower than the window, the footer and the demo bar are at the end of the window.
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <RiskBanner settings={settings} />
      <PublicHeader />
      <main id="main" tabIndex={-1} className="flex-1">
        {isClosed ? (
          <Suspense>
            <MaintenancePage />
          </Suspense>
        ) : (
          children
        )}
      </main>
      <PublicFooter settings={settings} />
      {/* The bar covers the lowest padding of the footer. A bar with a height of its own would move
          the footer of a page that is shorter than the window. */}
      {settings?.isDemo === true && <DemoBar className="sticky bottom-0 z-20 -mt-7 min-h-7" />}
    </div>
  )
}
