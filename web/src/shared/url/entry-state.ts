import { useState } from 'react'
import { useLocation } from './navigation.tsx'

/**
 * A state that belongs to the address that is shown, such as the result of a form. If another
 * address is opened, or the same address is opened again, the state becomes null: otherwise a link
 * from the result of a form to its empty form would change only the address.
 */
export function useEntryState<Value>(): [Value | null, (value: Value) => void] {
  const { key } = useLocation()
  const [shownKey, setShownKey] = useState(key)
  const [value, setValue] = useState<Value | null>(null)
  if (shownKey === key) return [value, setValue]
  setShownKey(key)
  setValue(null)
  return [null, setValue]
}
