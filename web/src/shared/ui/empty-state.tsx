import type { ReactNode } from 'react'

import { CairnMark } from './cairn-mark.tsx'

/** Shows one line in place of an empty section, on a page that also has sections with content. */
export function EmptyLine({ title, text }: { title: string; text?: string }) {
  return (
    <p className="px-5 py-3 text-14 text-muted">
      <span className="font-medium text-ink">{title}.</span> {text}
    </p>
  )
}

export function EmptyState({
  title,
  text,
  action,
}: {
  title: string
  text?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="grid justify-items-center gap-2 px-6 py-12 text-center">
      <CairnMark className="mb-2 size-12 opacity-60" />
      <p className="font-semibold text-16">{title}</p>
      {text !== undefined && <p className="max-w-sm text-14 text-muted">{text}</p>}
      {action !== undefined && <div className="mt-3">{action}</div>}
    </div>
  )
}
