import { usePageTitle } from './page-title.ts'

export function Banner({ text }: { text: string }) {
  const title = usePageTitle()
  return (
    <div className="mx-auto grid max-w-6xl gap-4 px-5 pt-10 pb-16 lg:pt-16">
      <h1 className="max-w-2xl font-semibold font-serif text-40 tracking-tight">{title}</h1>
      <p className="max-w-2xl text-20 text-muted">{text}</p>
    </div>
  )
}
