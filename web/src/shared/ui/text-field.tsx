import { useEffect, useState } from 'react'

import { Input } from './inputs.tsx'

const TYPING_PAUSE_MS = 300

/** A search field. It starts a search after a pause in typing. */
export function TextField({
  label,
  placeholder,
  value,
  onChange,
}: {
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
}) {
  const [typed, setTyped] = useState(value)
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => onChange(typed.trim()), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  })
  return (
    <Input
      type="search"
      aria-label={label}
      placeholder={placeholder}
      maxLength={120}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  )
}
