import { X } from 'lucide-react'
import { useState } from 'react'

import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { Input, Select } from './inputs.tsx'

type TokenFieldProps = {
  label: string
  hint: string
  /** The text that is shown while the list has no entries. */
  empty: string
  tokens: readonly string[]
  onChange: (tokens: string[]) => void
  /** Returns the stored form of a typed entry, or its error. Not needed if `options` are given. */
  check?: (text: string) => { token: string } | { error: string }
  /** The entries that the user can choose. Without this property, the user types entries. */
  options?: ReadonlyArray<readonly [value: string, label: string]>
  describeToken?: (token: string) => string
  error?: string | undefined
}

/** A list of unique short entries that the user types or chooses, adds and removes. */
export function TokenField(props: TokenFieldProps) {
  const { label, hint, empty, tokens, onChange, check, options, describeToken, error } = props
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const add = () => {
    if (typed.trim() === '') return
    const checked = check?.(typed) ?? { token: typed }
    if ('error' in checked) {
      setFault(checked.error)
      return
    }
    if (!tokens.includes(checked.token)) onChange([...tokens, checked.token])
    setTyped('')
    setFault(null)
  }
  return (
    <div className="grid gap-3 sm:col-span-2">
      <Field label={label} hint={hint} error={fault ?? error}>
        {(ids) => (
          <span className="flex gap-2">
            {options === undefined ? (
              <Input
                {...ids}
                value={typed}
                maxLength={60}
                onChange={(event) => setTyped(event.target.value)}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter') return
                  // The Enter key adds the entry and does not submit the form.
                  event.preventDefault()
                  add()
                }}
              />
            ) : (
              <span className="block flex-1">
                <Select {...ids} value={typed} onChange={(event) => setTyped(event.target.value)}>
                  <option value="">Choose</option>
                  {options
                    .filter(([value]) => !tokens.includes(value))
                    .map(([value, words]) => (
                      <option key={value} value={value}>
                        {words}
                      </option>
                    ))}
                </Select>
              </span>
            )}
            <Button onClick={add} className="h-11">
              Add
            </Button>
          </span>
        )}
      </Field>
      {tokens.length === 0 ? (
        <p className="text-14 text-muted">{empty}</p>
      ) : (
        <ul aria-label={label} className="flex flex-wrap gap-2">
          {tokens.map((token) => (
            <li
              key={token}
              className="flex items-center gap-1 rounded-full bg-sunken py-1 pr-1 pl-3 text-14"
            >
              <span className="break-all">{describeToken?.(token) ?? token}</span>
              <button
                type="button"
                aria-label={`Remove ${describeToken?.(token) ?? token}`}
                onClick={() => onChange(tokens.filter((each) => each !== token))}
                className="flex size-6 items-center justify-center rounded-full hover:bg-line"
              >
                <X aria-hidden="true" className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
