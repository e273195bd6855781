import { ButtonLink } from '../shared/ui/button.tsx'
import { CairnMark } from '../shared/ui/cairn-mark.tsx'
import { usePageTitle } from '../shared/ui/page-title.ts'

export function NotFoundPage() {
  usePageTitle('Page not found')
  return (
    <main
      id="main"
      className="mx-auto grid min-h-[70dvh] max-w-xl place-content-center justify-items-center gap-4 px-6 py-16 text-center"
    >
      <CairnMark className="size-16" />
      <p className="tabular text-14 text-muted">404</p>
      <h1 className="font-semibold font-serif text-28">
        Sorry, the page you were looking for was not found.
      </h1>
      <ButtonLink to="/" look="primary" className="mt-2">
        Return to Home
      </ButtonLink>
    </main>
  )
}
