import type { LucideIcon } from 'lucide-react'

import { joinClasses } from './join-classes.ts'

type Tone = 'pending' | 'success' | 'declined' | 'info' | 'neutral'

const TONES: Record<Tone, string> = {
  pending: 'bg-pending-soft text-pending',
  success: 'bg-success-soft text-success',
  declined: 'bg-declined-soft text-declined',
  info: 'bg-info-soft text-info',
  neutral: 'bg-sunken text-muted',
}

/** The icon and the word carry the meaning. The colour only repeats the meaning. */
export function Badge({ tone, icon: Icon, word }: { tone: Tone; icon: LucideIcon; word: string }) {
  return (
    <span
      className={joinClasses(
        'inline-flex h-6 items-center gap-1 whitespace-nowrap rounded-full px-2 font-medium text-12',
        TONES[tone],
      )}
    >
      <Icon aria-hidden="true" className="size-3.5" />
      {word}
    </span>
  )
}
