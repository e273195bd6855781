import { CairnMark } from '../../shared/ui/cairn-mark.tsx'
import { usePageTitle } from '../../shared/ui/page-title.ts'
import { Link } from '../../shared/url/navigation.tsx'

/** Replaces the page during maintenance. The layout polls until maintenance ends. */
export function MaintenancePage() {
  usePageTitle('Maintenance')
  return (
    <div className="mx-auto grid min-h-[60dvh] max-w-xl place-content-center justify-items-center gap-4 px-6 py-16 text-center">
      <CairnMark className="size-16" />
      <h1 className="font-semibold font-serif text-28">The site is being maintained.</h1>
      <p role="status" className="text-16 text-muted">
        Please come back in a few minutes. Balances and due profit are still recorded. This page
        reloads after the maintenance.
      </p>
      <p className="text-14">
        <Link to="/users/login" className="rounded-sm font-medium text-accent underline">
          Administrators log in here
        </Link>
        {' · '}
        <Link to="/status" className="rounded-sm font-medium text-accent underline">
          Status
        </Link>
      </p>
    </div>
  )
}
