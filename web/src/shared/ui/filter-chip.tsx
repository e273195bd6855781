import { X } from 'lucide-react'
import { useUrlState } from '../url/url-state.ts'
import { Button } from './button.tsx'

type FilterChipProps = {
  /** What the list is limited to, such as `Of Iris Example`. */
  text: string
  /** The name of the button, such as `Remove the filter by user: Iris Example`. */
  label: string
  /** The URL parameters that removing the filter removes. */
  cleared: Readonly<Record<string, null>>
}

/** Names a filter that comes from a link, and removes it. */
export function FilterChip({ text, label, cleared }: FilterChipProps) {
  const url = useUrlState()
  return (
    <Button
      size="touch"
      className="min-w-0 max-w-full justify-self-start"
      aria-label={label}
      onClick={() => url.set(cleared)}
    >
      <span className="truncate">{text}</span>
      <X aria-hidden="true" className="size-4 shrink-0" />
    </Button>
  )
}
