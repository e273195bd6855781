import { useEffect } from 'react'
import { ButtonLink } from '../ui/button.tsx'
import { CairnMark } from '../ui/cairn-mark.tsx'
import { setPageTitle } from '../ui/page-title.ts'

type NotBuiltProps = { title: string; text: string; back: string }

/** A route that the product names and that has no page yet: it says so, and leads back. */
export function NotBuiltPage({ title, text, back }: NotBuiltProps) {
  useEffect(() => setPageTitle(title), [title])
  return (
    <div className="mx-auto grid max-w-xl justify-items-center gap-3 px-5 py-20 text-center">
      <CairnMark className="mb-2 size-14 opacity-70" />
      <h1 className="font-semibold text-28 tracking-tight">{title}</h1>
      <p className="text-16 text-muted">This page is not built yet. {text}</p>
      <ButtonLink to={back} className="mt-4">
        Back
      </ButtonLink>
    </div>
  )
}
