import type { SessionLife } from '@cairn/gateway-contracts'

const SECOND_MS = 1_000
/** So long before its end a session is warned of. */
export const WARNING_MS = 180_000
/** Another tab may have kept the session meanwhile. */
const WARNED_LOOK_MS = 10_000
const LOOK_MS_MAX = 3_600_000

/** By the clock of this machine, whatever the server's says. */
export type KnownLife = { askedAtMs: number; endsAtMs: number; canBeKept: boolean }

/** Where both limits fall together nothing but a new login helps. */
export function toKnown({ idleSecondsLeft, secondsLeft }: SessionLife, nowMs: number): KnownLife {
  return {
    askedAtMs: nowMs,
    endsAtMs: nowMs + idleSecondsLeft * SECOND_MS,
    canBeKept: idleSecondsLeft < secondsLeft,
  }
}

export function isWarned({ askedAtMs, endsAtMs }: KnownLife): boolean {
  return endsAtMs - askedAtMs <= WARNING_MS
}

/** When to ask again: just as the warning would begin, and often while it stands. */
export function nextCheckMsOf(life: KnownLife): number {
  if (isWarned(life)) return WARNED_LOOK_MS
  return Math.min(LOOK_MS_MAX, life.endsAtMs - life.askedAtMs - WARNING_MS)
}

/** `2:05`. */
export function formatCountdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND_MS))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
