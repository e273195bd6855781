import { usePageTitle } from './page-title.ts'

/** The heading of a public page, with its summary beside it on wide screens. */
export function Banner({ text }: { text: string }) {
  const title = usePageTitle()
  return (
    <div className="mx-auto grid max-w-site gap-4 px-5 py-10 lg:grid-cols-[4fr_8fr] lg:items-baseline lg:gap-12 lg:py-16">
      <h1 className="font-semibold font-serif text-40 tracking-tight">{title}</h1>
      <p className="max-w-2xl text-20 text-muted">{text}</p>
    </div>
  )
}
