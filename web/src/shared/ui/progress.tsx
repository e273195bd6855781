import { joinClasses } from './join-classes.ts'

/** `percent` is 0 to `max`; `label` names the bar and `text` describes its value. */
export function Progress({
  percent,
  max = 100,
  label,
  text,
  className,
}: {
  percent: number
  max?: number
  label: string
  text?: string
  className?: string
}) {
  const bounded = Math.min(max, Math.max(0, percent))
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.round(bounded)}
      aria-valuetext={text}
      className={joinClasses('h-1.5 overflow-hidden rounded-full bg-line', className)}
    >
      <div
        className="h-full origin-left rounded-full bg-accent transition-transform duration-150"
        style={{ transform: `scaleX(${bounded / max})` }}
      />
    </div>
  )
}
