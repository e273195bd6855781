import { Tabs as Primitive } from 'radix-ui'
import { type ReactNode, useEffect, useRef } from 'react'

type Tab = { id: string; label: string; content: ReactNode }

export function Tabs({
  tabs,
  value,
  onChange,
  label,
}: {
  tabs: readonly Tab[]
  value: string
  onChange: (id: string) => void
  label: string
}) {
  const list = useRef<HTMLDivElement>(null)
  // On a phone, the chosen tab may be outside the visible area, for example after the user has
  // followed a link. Only the row of tabs is scrolled, because the page has to begin at its title.
  useEffect(() => {
    const row = list.current
    const tab = row?.querySelector(`[role=tab][aria-controls$="-content-${value}"]`)
    if (row == null || tab == null) return
    const [outer, inner] = [row.getBoundingClientRect(), tab.getBoundingClientRect()]
    if (inner.left < outer.left) row.scrollLeft -= outer.left - inner.left
    if (inner.right > outer.right) row.scrollLeft += inner.right - outer.right
  }, [value])
  return (
    <Primitive.Root value={value} onValueChange={onChange}>
      <Primitive.List
        ref={list}
        aria-label={label}
        className="fading-edges flex gap-5 overflow-x-auto border-line border-b sm:gap-6"
      >
        {tabs.map((tab) => (
          <Primitive.Trigger
            key={tab.id}
            value={tab.id}
            className="-mb-px h-11 shrink-0 border-transparent border-b-2 font-medium text-14 text-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map((tab) => (
        <Primitive.Content key={tab.id} value={tab.id} className="pt-6">
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  )
}
