import { joinClasses } from './join-classes.ts'

const TAIL = 6

/**
 * Shows a text on one line. If it is too long, its middle is cut, because addresses are told apart
 * by both ends.
 */
export function MiddleCut({ text, className }: { text: string; className?: string }) {
  return (
    <span title={text} className={joinClasses('flex min-w-0', className)}>
      <span className="truncate">{text.slice(0, -TAIL)}</span>
      <span className="shrink-0 whitespace-pre">{text.slice(-TAIL)}</span>
    </span>
  )
}
