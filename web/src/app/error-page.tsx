import { Button } from '../shared/ui/button.tsx'
import { CairnMark } from '../shared/ui/cairn-mark.tsx'
import { isScriptMissing } from '../shared/ui/missing-script.ts'
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
      {/* The button and the link load the whole page, because the state in memory may have caused the error. */}
      <div className="mt-2 flex flex-wrap justify-center gap-3">
        {isScriptMissing(error) && (
          <Button look="primary" onClick={() => window.location.reload()}>
            Load again
          </Button>
        )}
        <a
          href="/"
          className="inline-flex h-10 items-center rounded-card border border-line bg-surface px-4 font-medium text-14 hover:bg-sunken"
        >
          Return to Home
        </a>
      </div>
    </main>
  )
}

function describeError(error: unknown): string {
  if (isScriptMissing(error)) {
    return 'A part of this page could not be loaded. Check your connection and load it again.'
  }
  return error instanceof Error ? error.message : 'An unknown error.'
}
