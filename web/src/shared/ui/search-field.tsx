import { Search } from 'lucide-react'
import { Input } from './inputs.tsx'
import { joinClasses } from './join-classes.ts'
import { useTypedText } from './typed-text.ts'

/** The search of a list, whose text is in the URL. */
export function SearchField({
  className,
  label,
  placeholder,
  value,
  onChange,
}: {
  className?: string
  label: string
  placeholder: string
  value: string
  onChange: (q: string) => void
}) {
  const [typed, setTyped] = useTypedText(value, onChange)
  return (
    <span className={joinClasses('relative block', className)}>
      <Search aria-hidden="true" className="absolute top-3.5 left-3 size-4 text-muted" />
      <Input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={100}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="truncate pl-9"
      />
    </span>
  )
}
