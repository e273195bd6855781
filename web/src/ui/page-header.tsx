import { type ReactNode, useEffect } from 'react'

import { setPageTitle } from './page-title.ts'

export function PageHeader({
  title,
  text,
  actions,
}: {
  title: string
  text?: ReactNode
  actions?: ReactNode
}) {
  useEffect(() => setPageTitle(title), [title])
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="grid min-w-0 grid-cols-1 gap-1">
        <h1 className="break-words font-semibold text-28 tracking-tight">{title}</h1>
        {text !== undefined && <p className="max-w-2xl text-14 text-muted">{text}</p>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2 print:hidden">{actions}</div>}
    </header>
  )
}
