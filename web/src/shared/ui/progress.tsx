import { joinClasses } from './join-classes.ts'

/** `percent` is 0 to 100; `label` names the bar and `text` describes its value. */
export function Progress({
  percent,
  label,
  text,
  className,
}: {
  percent: number
  label: string
  text?: string
  className?: string
}) {
  const bounded = Math.min(100, Math.max(0, percent))
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(bounded)}
      aria-valuetext={text}
      className={joinClasses('h-1.5 overflow-hidden rounded-full bg-line', className)}
    >
      <div
        className="h-full origin-left rounded-full bg-accent transition-transform duration-150"
        style={{ transform: `scaleX(${bounded / 100})` }}
      />
    </div>
  )
}
