import { CairnMark } from '../shared/ui/cairn-mark.tsx'
import { usePageTitle } from '../shared/ui/page-title.ts'

export function ErrorPage({ error }: { error: unknown }) {
  usePageTitle('Something went wrong')
  return (
    <main
      id="main"
      className="mx-auto grid min-h-dvh max-w-xl place-content-center justify-items-center gap-4 px-6 py-16 text-center"
    >
      <CairnMark className="size-16" />
      <h1 className="font-semibold font-serif text-40">Oops!</h1>
      <p className="text-20">Something went wrong.</p>
      <p className="max-w-md break-words rounded-card bg-sunken px-4 py-3 text-14 text-muted">
        {describeError(error)}
      </p>
      {/* This link loads the whole page, because the state in memory may have caused the error. */}
      <a
        href="/"
        className="mt-2 inline-flex h-10 items-center rounded-card bg-accent px-4 font-medium text-14 text-on-accent hover:bg-accent-hover"
      >
        Return to Home
      </a>
    </main>
  )
}

function describeError(error: unknown): string {
  const message = error instanceof Error ? error.message : 'An unknown error.'
  if (/dynamically imported module|module script/i.test(message)) {
    return 'A part of this page could not be loaded. Check your connection and load it again.'
  }
  return message
}
