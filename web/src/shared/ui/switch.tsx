import { Switch as Primitive } from 'radix-ui'
import { type ReactNode, useId } from 'react'

type SwitchProps = {
  label: string
  text?: ReactNode
  checked: boolean
  pending?: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

export function Switch({ label, text, checked, pending, disabled, onChange }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-center justify-between gap-6">
      <div className="grid">
        <label htmlFor={id} className="font-medium text-14">
          {label}
        </label>
        {text !== undefined && (
          <p id={`${id}-text`} className="text-12 text-muted">
            {text}
          </p>
        )}
      </div>
      <Primitive.Root
        id={id}
        checked={checked}
        disabled={disabled === true || pending === true}
        aria-describedby={text === undefined ? undefined : `${id}-text`}
        aria-busy={pending === true || undefined}
        onCheckedChange={onChange}
        className="h-6 w-11 shrink-0 rounded-full border border-line-strong bg-sunken transition-colors duration-150 disabled:cursor-not-allowed disabled:border-line data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Primitive.Thumb className="block size-4 translate-x-1 rounded-full bg-[var(--line-strong)] transition-transform duration-150 data-[state=checked]:translate-x-[1.375rem] data-[state=checked]:bg-[var(--on-accent)]" />
      </Primitive.Root>
    </div>
  )
}
