import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useReferralLink } from '../../features/registration/referral-link.ts'
import { settingsQueries } from '../../features/settings/queries.ts'
import { HomeLink } from '../../shared/ui/home-link.tsx'
import { ThemeToggle } from '../../shared/ui/theme-toggle.tsx'
import { DemoBar } from './demo-bar.tsx'
import { useRouteFocus } from './route-focus.ts'
import { SkipLink } from './skip-link.tsx'

export function AuthLayout({ children }: { children: ReactNode }) {
  const settings = useQuery(settingsQueries.readPublic()).data
  useReferralLink()
  useRouteFocus()
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="mx-auto flex w-full max-w-6xl items-center justify-between px-5 py-4">
        <HomeLink />
        <ThemeToggle />
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto flex w-full max-w-xl flex-1 flex-col px-5 pt-4 pb-16 sm:pt-12"
      >
        {children}
      </main>
      {settings?.isDemo === true && <DemoBar className="sticky bottom-0 z-20" />}
    </div>
  )
}
